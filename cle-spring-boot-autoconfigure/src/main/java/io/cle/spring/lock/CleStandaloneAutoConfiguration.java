package io.cle.spring.lock;

import io.cle.runtime.internal.lock.LockThreads;
import io.cle.runtime.internal.lock.StandaloneLock;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Auto-configuration for leadership without a cluster: this process leads at once. */
@AutoConfiguration(before = CleAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "cle.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "cle.mode", havingValue = "standalone")
public final class CleStandaloneAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LeaseLockFactory cleLeaseLockFactory(LockThreads threads) {
        return settings -> new StandaloneLock(
                settings.lease(),
                settings.identity(),
                settings.timings(),
                settings.drainTimeout(),
                threads.loop(),
                threads.callbacks());
    }
}
