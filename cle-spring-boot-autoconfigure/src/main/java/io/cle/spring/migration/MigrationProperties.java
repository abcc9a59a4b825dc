package io.cle.spring.migration;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Leader migration (KEP-2436): which controllers move between this application and another one. The configuration stands either in
 * a file or in these properties.
 *
 * @param enabled Whether to take part in a leader migration. A migration that is configured and not enabled fails the start.
 * @param configFile File with the KEP's LeaderMigrationConfiguration, as a path or with a prefix such as "classpath:".
 * @param component Which of the configuration's components this application is. Defaults to "spring.application.name".
 * @param namespace Namespace of the migration lease, the same for all components. Defaults to "cle.namespace".
 * @param leaderName Name of the migration lease that the components share, where there is no file.
 * @param resourceLock What the migration lease is held on, where there is no file. Defaults to "leases".
 * @param controllerLeaders Which component runs which controller, where there is no file.
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
     * Where a controller is to run.
     *
     * @param name The controller, as "@OnLeader(controller = ...)" has it.
     * @param component The component that is to run it; "*" for whichever holds the migration lease.
     */
    public record Controller(
            @Nullable String name, @Nullable String component) {}

    /** Whether the configuration's own fields are written here. */
    boolean configuredInProperties() {
        return leaderName != null || resourceLock != null || !controllerLeaders.isEmpty();
    }
}
