package io.cle.spring.lock;

import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.spring.lock.internal.FurtherLeaseLocksRegistrar;
import io.cle.spring.lock.internal.NeverLeadingLocks;
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
    @Primary
    @ConditionalOnMissingBean
    CoordinatedLeaseLock coordinatedLeaseLock(Environment environment) {
        return NeverLeadingLocks.main(environment);
    }

    @Bean
    @ConditionalOnMissingBean
    LeaseLocks cleLeaseLocks(CoordinatedLeaseLock main, Environment environment) {
        return NeverLeadingLocks.of(main, environment);
    }

    @Bean
    @ConditionalOnMissingBean
    RuntimeLeases cleRuntimeLeases(LeaseLocks locks) {
        return new NeverLeadingRuntimeLeases(locks);
    }
}
