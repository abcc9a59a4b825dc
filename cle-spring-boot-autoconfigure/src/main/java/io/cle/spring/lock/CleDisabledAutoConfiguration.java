package io.cle.spring.lock;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.cle.CoordinatedLeaseLock;
import io.cle.Timings;
import io.cle.model.ObjectKey;
import io.cle.runtime.internal.lock.LockThreads;
import io.cle.spring.lock.internal.FurtherLeaseLocksRegistrar;
import io.cle.spring.lock.internal.MockedLock;
import io.cle.spring.lock.internal.StandaloneLeaseLockFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

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
        return main(environment, threads);
    }

    private static CoordinatedLeaseLock main(Environment environment, LockThreads threads) {
        return neverStarted(
                Stream.of("cle.lease-name", "spring.application.name")
                        .map(environment::getProperty)
                        .filter(StringUtils::hasText)
                        .findFirst()
                        .orElse("application"),
                threads);
    }

    /** Nothing here starts it, so that it is no candidate, never leads and calls no listener. */
    private static CoordinatedLeaseLock neverStarted(String name, LockThreads threads) {
        return StandaloneLeaseLockFactory.lock(
                new ObjectKey("default", name), name, Timings.DEFAULT, Duration.ZERO, threads);
    }

    @Bean
    @ConditionalOnMissingBean
    LeaseLocks cleLeaseLocks(CoordinatedLeaseLock main, Environment environment, LockThreads threads) {
        Map<String, CoordinatedLeaseLock> further = new LinkedHashMap<>();
        FurtherLeaseLocksRegistrar.namesOf(environment).forEach(name -> further.put(name, neverStarted(name, threads)));
        return new LeaseLocks(MockedLock.withAnswers(main, () -> main(environment, threads)), further);
    }

    @Bean
    @ConditionalOnMissingBean
    RuntimeLeases cleRuntimeLeases(LeaseLocks locks, LockThreads threads) {
        return new NeverLeadingRuntimeLeases(locks, name -> neverStarted(name, threads));
    }
}
