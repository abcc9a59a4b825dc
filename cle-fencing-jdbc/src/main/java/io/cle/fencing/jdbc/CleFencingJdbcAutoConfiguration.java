package io.cle.fencing.jdbc;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Auto-configuration that fences the transactions of led work in each database that has table {@code leader_fence}. */
@AutoConfiguration
public final class CleFencingJdbcAutoConfiguration {

    @Bean
    static LeaderFences cleLeaderFences(Environment environment) {
        return new LeaderFences(Binder.get(environment)
                .bind("cle.fencing.jdbc.required", Boolean.class)
                .orElse(false));
    }
}
