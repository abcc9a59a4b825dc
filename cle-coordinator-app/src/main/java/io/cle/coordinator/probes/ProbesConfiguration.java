package io.cle.coordinator.probes;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Opens the port for probes and metrics if {@code cle.coordinator.probes.port} is set. No condition, because one would be decided when the
 * jar is processed ahead of time, and not when it runs.
 */
@Configuration(proxyBeanMethods = false)
class ProbesConfiguration {

    @Bean
    ProbePort probePort(ProbesProperties properties) {
        return new ProbePort(properties.port());
    }
}
