package io.cle.samples.recipes;

import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.web.SecurityFilterChain;

import static org.springframework.security.config.Customizer.withDefaults;

/**
 * The endpoint {@code leaderelection} behind Spring Security: a user who is logged in may read, and operators may end
 * terms. Needs {@code management.endpoint.leaderelection.access=unrestricted}, and another chain for the rest of the
 * application, because Spring Boot's own chain backs off.
 *
 * <p>With protection against cross-site request forgery, which is Spring Security's default, every {@code DELETE} and
 * {@code POST} without a token is answered with 403, including an operator's by {@code curl}. Without it, another
 * site's page still can't use a login that the browser has stored: {@code DELETE} and {@code POST} of JSON need a
 * preflight, which is refused unless {@code management.endpoints.web.cors.allowed-origins} allows that site, and any
 * other {@code POST} is answered with 415.
 */
@Configuration(proxyBeanMethods = false)
public class EndpointSecurity {

    @Bean
    @Order(0)
    SecurityFilterChain leaderElection(HttpSecurity http) {
        // DELETE and POST end a term. Scripts have no CSRF token.
        return http.securityMatcher(EndpointRequest.to("leaderelection"))
                .authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.GET)
                        .authenticated()
                        .anyRequest()
                        .hasRole("OPERATOR"))
                .httpBasic(withDefaults())
                .csrf(CsrfConfigurer::disable)
                .build();
    }
}
