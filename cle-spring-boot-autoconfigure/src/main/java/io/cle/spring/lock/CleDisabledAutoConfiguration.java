package io.cle.spring.lock;

import io.cle.CoordinatedLeaseLock;
import io.cle.lock.internal.LockThreads;
import io.cle.spring.lock.internal.FurtherLeaseLocksRegistrar;
import io.cle.spring.lock.internal.Leases;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for an application that has switched leader election off ({@code cle.enabled=false}), as its tests may: the same
 * locks can be injected, never lead, and need neither a cluster nor valid timings.
 */
@AutoConfiguration(before = CleAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "cle.enabled", havingValue = false)
@Import(FurtherLeaseLocksRegistrar.class)
public final class CleDisabledAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LockThreads cleLockThreads() {
        return LockThreads.create("cle");
    }

    @Bean(destroyMethod = "")
    @Primary
    @ConditionalOnMissingBean
    CoordinatedLeaseLock coordinatedLeaseLock(Environment environment, LockThreads threads) {
        return NeverLeadingRuntimeLeases.main(environment, threads);
    }

    @Bean
    @ConditionalOnMissingBean
    LeaseLocks cleLeaseLocks(CoordinatedLeaseLock main, Environment environment, LockThreads threads) {
        return NeverLeadingRuntimeLeases.locks(main, environment, threads);
    }

    @Bean
    @ConditionalOnMissingBean
    Leases cleLeases(LeaseLocks locks) {
        return locks.leases();
    }

    @Bean
    @ConditionalOnMissingBean
    RuntimeLeases cleRuntimeLeases(Leases leases, LockThreads threads) {
        return new NeverLeadingRuntimeLeases(leases, threads);
    }
}
