package io.cle.spring.migration.internal;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.io.ApplicationResourceLoader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/** Leader migration. There whether it is enabled or not, as a migration that is configured and not enabled is a mistake. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MigrationProperties.class)
public class MigrationConfiguration {

    @Bean
    @Fallback
    @ConditionalOnMissingBean
    LeaderMigration cleLeaderMigration(
            MigrationProperties properties, ResourceLoader resources, Environment environment) {
        return LeaderMigration.of(
                properties,
                ApplicationResourceLoader.get(resources, true),
                environment.getProperty("spring.application.name"));
    }
}
