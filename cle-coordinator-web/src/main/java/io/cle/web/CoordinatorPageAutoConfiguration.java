package io.cle.web;

import java.io.IOException;
import java.util.Set;
import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** Auto-configuration of {@code /actuator/elections} and the coordinator's page, if there is a coordinator. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(CoordinatorSnapshots.class)
@EnableConfigurationProperties(CoordinatorPageAutoConfiguration.PageProperties.class)
public final class CoordinatorPageAutoConfiguration {

    /**
     * The properties of the page.
     *
     * @param hosts Host names under which page and endpoints answer, in addition to those of the loopback interface and of the Service
     */
    @ConfigurationProperties("cle.coordinator.page")
    public record PageProperties(@DefaultValue Set<String> hosts) {}

    @Bean
    LiveUpdates liveUpdates(CoordinatorSnapshots snapshots) {
        return new LiveUpdates(snapshots);
    }

    @Bean
    ElectionsController electionsController(CoordinatorSnapshots snapshots, LiveUpdates updates) throws IOException {
        return new ElectionsController(snapshots, updates);
    }

    @Bean
    FilterRegistrationBean<PageFilter> pageFilter(
            ObjectProvider<PageFilter.OfService> service, PageProperties properties) {
        FilterRegistrationBean<PageFilter> registration = new FilterRegistrationBean<>(new PageFilter(
                Stream.concat(service.stream().flatMap(PageFilter.OfService::names), properties.hosts().stream())));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }
}
