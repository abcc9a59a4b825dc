package io.cle.spring.migration.internal;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Leader migration (KEP-2436): which controllers move between this application and another one.
 *
 * @param enabled Whether to take part in a leader migration. A migration that is configured and not enabled fails the start.
 * @param configFile File with the KEP's LeaderMigrationConfiguration, as a path or with a prefix such as "classpath:".
 * @param component Which of the configuration's components this application is. Defaults to "spring.application.name".
 * @param namespace Namespace of the migration lease, the same for all components. Defaults to "cle.namespace".
 */
@ConfigurationProperties("cle.migration")
public record MigrationProperties(
        @DefaultValue("false") boolean enabled,
        @Nullable String configFile,
        @Nullable String component,
        @Nullable String namespace) {}
