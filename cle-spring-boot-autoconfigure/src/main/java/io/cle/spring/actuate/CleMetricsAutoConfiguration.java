package io.cle.spring.actuate;

import io.cle.spring.actuate.internal.LeaderElectionMetrics;
import io.cle.spring.lock.CleAutoConfiguration;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.internal.ConditionalOnCleEnabled;
import io.cle.spring.lock.internal.Leases;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration for the meters of leader election, which every meter registry binds. */
@AutoConfiguration(after = CleAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnCleEnabled
@ConditionalOnBean(LeaseLocks.class)
public final class CleMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LeaderElectionMetrics cleLeaderElectionMetrics(Leases leases) {
        return new LeaderElectionMetrics(leases);
    }
}
