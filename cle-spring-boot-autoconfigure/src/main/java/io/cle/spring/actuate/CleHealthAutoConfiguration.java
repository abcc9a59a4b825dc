package io.cle.spring.actuate;

import io.cle.loop.internal.Clock;
import io.cle.spring.actuate.internal.LeaderElectionHealthIndicator;
import io.cle.spring.lock.CleAutoConfiguration;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.internal.ConditionalOnCleEnabled;
import io.cle.spring.lock.internal.Leases;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** Auto-configuration for the health contributor {@code leaderElection}. */
@AutoConfiguration(after = CleAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnCleEnabled
@ConditionalOnBean(LeaseLocks.class)
@ConditionalOnEnabledHealthIndicator("leader-election")
public final class CleHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LeaderElectionHealthIndicator leaderElectionHealthIndicator(Leases leases) {
        return new LeaderElectionHealthIndicator(leases, Clock.system());
    }
}
