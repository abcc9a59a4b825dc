package io.cle.spring.lock.internal;

import java.util.Map;
import java.util.stream.Stream;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Sets Boot's {@code spring.main.keep-alive} for a process that is a candidate, unless the application sets it: all threads of an election are
 * daemons, so that an application without a web server would exit right after its start, before it can be elected.
 */
final class CandidacyKeepAlive implements EnvironmentPostProcessor {

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        if (Stream.of("cle.enabled", "cle.keep-alive")
                .allMatch(property -> environment.getProperty(property, "true").equalsIgnoreCase("true"))) {
            environment
                    .getPropertySources()
                    .addLast(new MapPropertySource("cleKeepAlive", Map.of("spring.main.keep-alive", "true")));
        }
    }
}
