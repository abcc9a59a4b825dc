package io.cle.coordinator.probes;

import java.util.Objects;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Opens the port for probes and metrics if {@code cle.coordinator.probes.port} is set. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("cle.coordinator.probes.port")
class ProbesConfiguration {

    @Bean
    ProbePort probePort(ProbesProperties properties) {
        return new ProbePort(Objects.requireNonNull(properties.port()));
    }
}
