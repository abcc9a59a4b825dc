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
 * The endpoint {@code leaderelection} behind Spring Security: a user who is logged in may read, and operators may end terms. Needs {@code
 * management.endpoint.leaderelection.access=unrestricted}, and one more chain for the rest of the application, because Spring Boot's own chain backs
 * off.
 */
@Configuration(proxyBeanMethods = false)
public class EndpointSecurity {

    @Bean
    @Order(0)
    SecurityFilterChain leaderElection(HttpSecurity http) {
        // DELETE and POST end a term. Scripts have no CSRF token; what protects the endpoint instead is said below.
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
