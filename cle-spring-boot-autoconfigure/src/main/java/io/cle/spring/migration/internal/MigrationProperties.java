package io.cle.spring.migration.internal;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Leader migration (KEP-2436): which controllers move between this application and another one. It is configured either in a file or
 * by these properties.
 *
 * @param enabled Whether to take part in a leader migration. A migration that is configured and not enabled fails the start.
 * @param configFile File with the KEP's LeaderMigrationConfiguration, as a path or with a prefix such as "classpath:".
 * @param component Which of the configuration's components this application is. Defaults to "spring.application.name".
 * @param namespace Namespace of the migration lease, the same for all components. Defaults to "cle.namespace".
 * @param leaderName Name of the migration lease that the components share, if there is no file.
 * @param resourceLock Kind of object that the migration lease is held on, if there is no file. Defaults to "leases".
 * @param controllerLeaders Which component runs which controller, if there is no file.
 */
@ConfigurationProperties("cle.migration")
public record MigrationProperties(
        @DefaultValue("false") boolean enabled,
        @Nullable String configFile,
        @Nullable String component,
        @Nullable String namespace,
        @Nullable String leaderName,
        @Nullable String resourceLock,
        @DefaultValue List<Controller> controllerLeaders) {

    /**
     * The component that runs a controller.
     *
     * @param name Name of the controller, as in "@OnLeader(controller = ...)".
     * @param component Component that runs it; "*" for the one that holds the migration lease.
     */
    public record Controller(
            @Nullable String name, @Nullable String component) {}

    /** Returns whether these properties contain the configuration. */
    public boolean configuredInProperties() {
        return leaderName != null || resourceLock != null || !controllerLeaders.isEmpty();
    }
}
