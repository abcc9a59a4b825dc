package io.cle.coordinator;

import java.net.InetAddress;

import io.cle.coordinator.actuate.ProbePort;
import io.cle.web.CoordinatorPageAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.servlet.ConfigurableServletWebServerFactory;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * The actuator's web server if {@code management.server.port} sets a separate port. It shows the leases of all namespaces, so it answers
 * under the same names as the main port, and listens on the same address unless {@code management.server.address} is set. Probes are
 * answered by this server because it has the actuator. Not annotated with {@code @Configuration}, so that it isn't added to the main
 * context.
 */
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
@Import(CoordinatorPageAutoConfiguration.Hosts.class)
class ManagementPortConfiguration {

    /** Runs after Spring Boot's own customizer, which sets the management server's address, even to none. */
    @Bean
    @Order
    WebServerFactoryCustomizer<ConfigurableServletWebServerFactory> managementAddress(Environment environment) {
        return factory -> {
            if (!environment.containsProperty("management.server.address")) {
                factory.setAddress(environment.getProperty("server.address", InetAddress.class));
            }
        };
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> probesOnManagementServer(ProbePort probes) {
        return probes::openIn;
    }

    @Bean
    FilterRegistrationBean<ProbePort> probesFilter(ProbePort probes) {
        return new FilterRegistrationBean<>(probes);
    }
}
