package io.cle.web;

import java.util.EnumSet;

import jakarta.servlet.DispatcherType;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorViewResolver;
import org.springframework.context.annotation.Bean;

/** Serves the coordinator's page where there is a coordinator to show. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(CoordinatorSnapshots.class)
@ConditionalOnBooleanProperty(name = "cle.coordinator.page.enabled", matchIfMissing = true)
@EnableConfigurationProperties(PageExposureProperties.class)
public final class CoordinatorPageAutoConfiguration {

    @Bean
    SharedSnapshots sharedSnapshots(CoordinatorSnapshots snapshots) {
        return new SharedSnapshots(snapshots);
    }

    @Bean
    LiveUpdates liveUpdates() {
        return new LiveUpdates();
    }

    @Bean
    PageController pageController(SharedSnapshots snapshots, LiveUpdates updates, PageExposureProperties properties) {
        return new PageController(snapshots, updates, properties);
    }

    @Bean
    FilterRegistrationBean<SecurityHeadersFilter> securityHeaders() {
        FilterRegistrationBean<SecurityHeadersFilter> registration =
                new FilterRegistrationBean<>(new SecurityHeadersFilter());
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ERROR));
        return registration;
    }

    /** Failures of requests, to a browser. Programs get them as Boot writes them, in JSON. */
    @Bean
    ErrorViewResolver notices() {
        return (request, status, attributes) ->
                Notices.failed(status, String.valueOf(attributes.getOrDefault("path", request.getRequestURI())));
    }
}
