package io.cle.coordinator;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * The management port, which answers the kubelet's probes and Prometheus on all interfaces. Refuses requests with a body: Spring Boot's
 * endpoints would wait for it, because they read parameters also from the body of a GET, and any pod could delay the probes. Not annotated
 * with {@code @Configuration}, so that it isn't added to the main context.
 */
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
class ManagementPortConfiguration {

    @Bean
    FilterRegistrationBean<Filter> noBodies() {
        FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>((request, response, chain) -> {
            if (request.getContentLengthLong() > 0
                    || ((HttpServletRequest) request).getHeader("Transfer-Encoding") != null) {
                ((HttpServletResponse) response).setStatus(HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
            } else {
                chain.doFilter(request, response);
            }
        });
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }
}
