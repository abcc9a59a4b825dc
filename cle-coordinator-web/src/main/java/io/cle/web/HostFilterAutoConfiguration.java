package io.cle.web;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/** Has a web server that shows a coordinator answer under its own names only; also without the page, because the endpoint shows the same. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(CoordinatorSnapshots.class)
@EnableConfigurationProperties(PageExposureProperties.class)
public final class HostFilterAutoConfiguration {

    @Bean
    FilterRegistrationBean<HostFilter> hostFilter(
            ObjectProvider<ServedHosts> served, PageExposureProperties properties) {
        FilterRegistrationBean<HostFilter> registration = new FilterRegistrationBean<>(
                new HostFilter(served.getIfAvailable(() -> ServedHosts.LOOPBACK), properties.hosts()));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }
}
