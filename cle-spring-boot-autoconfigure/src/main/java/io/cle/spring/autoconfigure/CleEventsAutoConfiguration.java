package io.cle.spring.autoconfigure;

import io.cle.spring.event.internal.LeadershipEventPublisher;
import io.cle.spring.lock.internal.Leases;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Auto-configuration for the events of leadership. */
@AutoConfiguration(after = CleAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "cle.enabled", matchIfMissing = true)
public final class CleEventsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LeadershipEventPublisher leadershipEventPublisher(ConfigurableApplicationContext context, Leases leases) {
        return new LeadershipEventPublisher(context, leases);
    }
}
