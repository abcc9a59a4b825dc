package io.cle.web;

import java.util.EnumSet;

import jakarta.servlet.DispatcherType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;

/** Serves the coordinator's page where there is a coordinator to show. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(CoordinatorSnapshots.class)
@ConditionalOnProperty(name = "cle.coordinator.page.enabled", matchIfMissing = true)
@EnableConfigurationProperties(PageProperties.class)
public final class CoordinatorPageAutoConfiguration {

    @Bean
    SnapshotReader snapshotReader(CoordinatorSnapshots snapshots) {
        return new SnapshotReader(snapshots);
    }

    @Bean
    LiveUpdates liveUpdates() {
        return new LiveUpdates();
    }

    @Bean
    PageController pageController(SnapshotReader snapshots, LiveUpdates updates, PageProperties properties) {
        return new PageController(snapshots, updates, properties);
    }

    @Bean
    FilterRegistrationBean<SecurityHeadersFilter> securityHeaders() {
        FilterRegistrationBean<SecurityHeadersFilter> registration =
                new FilterRegistrationBean<>(new SecurityHeadersFilter());
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ERROR));
        return registration;
    }
}
