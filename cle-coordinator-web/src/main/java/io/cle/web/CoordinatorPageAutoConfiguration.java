package io.cle.web;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
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
import org.springframework.web.filter.OncePerRequestFilter;

/** Auto-configuration of {@code /actuator/elections} and the coordinator's page, if there is a coordinator. */
@AutoConfiguration
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(CoordinatorSnapshots.class)
@EnableConfigurationProperties(CoordinatorPageAutoConfiguration.PageProperties.class)
public final class CoordinatorPageAutoConfiguration {

    /**
     * The properties of the page.
     *
     * @param enabled whether the coordinator serves its page
     * @param hosts Host names under which page and endpoints answer, in addition to those of the loopback interface and of the Service
     */
    @ConfigurationProperties("cle.coordinator.page")
    public record PageProperties(
            @DefaultValue("true") boolean enabled,
            @DefaultValue Set<String> hosts) {}

    @Bean
    LiveUpdates liveUpdates() {
        return new LiveUpdates();
    }

    @Bean
    ElectionsController electionsController(CoordinatorSnapshots snapshots, LiveUpdates updates) {
        return new ElectionsController(snapshots, updates);
    }

    @Bean
    PageController pageController(PageProperties properties) throws IOException {
        return new PageController(properties);
    }

    /** Restricts the web server to its own host names. */
    @Bean
    FilterRegistrationBean<HostFilter> hostFilter(
            ObjectProvider<HostFilter.ServedHosts> served, PageProperties properties) {
        FilterRegistrationBean<HostFilter> registration = new FilterRegistrationBean<>(
                new HostFilter(served.getIfAvailable(() -> HostFilter.ServedHosts.LOOPBACK), properties.hosts()));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    @Bean
    FilterRegistrationBean<SecurityHeaders> securityHeaders() {
        FilterRegistrationBean<SecurityHeaders> registration = new FilterRegistrationBean<>(new SecurityHeaders());
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ERROR));
        return registration;
    }

    /** Sets headers by which browsers run only scripts that this server sends as files, in case the page's script ever adds untrusted HTML. */
    static final class SecurityHeaders extends OncePerRequestFilter {

        static final String POLICY =
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                        + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            response.setHeader("Content-Security-Policy", POLICY);
            response.setHeader("X-Content-Type-Options", "nosniff");
            response.setHeader("X-Frame-Options", "DENY");
            response.setHeader("Referrer-Policy", "no-referrer");
            response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
            response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
            chain.doFilter(request, response);
        }
    }
}
