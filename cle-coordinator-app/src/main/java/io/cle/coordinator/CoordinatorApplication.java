package io.cle.coordinator;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The coordinator. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class CoordinatorApplication {

    /**
     * Runs the coordinator until the process receives a signal. If the start fails, ends the process: the controller's threads aren't
     * daemons and would keep it running without a coordinator.
     */
    @SuppressWarnings("SystemExitOutsideMain")
    public static void main(String[] args) {
        try {
            SpringApplication.run(CoordinatorApplication.class, args);
        } catch (SpringApplication.AbandonedRunException e) {
            // Not a failure: ahead-of-time processing is complete.
            throw e;
        } catch (RuntimeException | Error e) {
            System.exit(1);
        }
    }

    /**
     * Excludes the auto-configurations of the starter, which would make the coordinator a candidate for a lease, and those of client-java's
     * Spring integration, which would create an API client of their own, for {@code localhost:8080} if there is no cluster configuration.
     */
    static final class ForeignAutoConfigurations implements AutoConfigurationImportFilter {

        @Override
        public boolean[] match(@Nullable String[] names, AutoConfigurationMetadata metadata) {
            boolean[] matches = new boolean[names.length];
            for (int i = 0; i < names.length; i++) {
                String name = names[i];
                matches[i] = name != null
                        && Stream.of("io.cle.spring.", "io.kubernetes.client.spring.")
                                .noneMatch(name::startsWith);
            }
            return matches;
        }
    }
}
