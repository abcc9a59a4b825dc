package io.cle.spring.lock;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.cle.CoordinatedLeaseLock;
import io.cle.spring.lock.internal.FurtherLeaseLocksRegistrar;
import io.cle.spring.lock.internal.MockedLock;
import io.cle.spring.lock.internal.NeverLeadingLock;
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
    @Primary
    @ConditionalOnMissingBean
    CoordinatedLeaseLock coordinatedLeaseLock(Environment environment) {
        return main(environment);
    }

    private static CoordinatedLeaseLock main(Environment environment) {
        return NeverLeadingLock.of(Stream.of("cle.lease-name", "spring.application.name")
                .map(environment::getProperty)
                .filter(StringUtils::hasText)
                .findFirst()
                .orElse("application"));
    }

    @Bean
    @ConditionalOnMissingBean
    LeaseLocks cleLeaseLocks(CoordinatedLeaseLock main, Environment environment) {
        Map<String, CoordinatedLeaseLock> further = new LinkedHashMap<>();
        FurtherLeaseLocksRegistrar.namesOf(environment).forEach(name -> further.put(name, NeverLeadingLock.of(name)));
        return new LeaseLocks(MockedLock.withAnswers(main, main(environment)), further);
    }

    @Bean
    @ConditionalOnMissingBean
    RuntimeLeases cleRuntimeLeases(LeaseLocks locks) {
        return new NeverLeadingRuntimeLeases(locks);
    }
}
