package io.cle.spring.test;

import io.cle.CoordinatedLeaseLock;
import io.cle.lock.internal.LockThreads;
import io.cle.spring.lock.internal.LeaseLockFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The beans of {@link AutoConfigureLeadership}. Not an auto-configuration: plain configurations are processed before auto-configurations,
 * which then back off from creating their own factory and everything that needs a cluster.
 */
@Configuration(proxyBeanMethods = false)
final class LeadershipTestConfiguration {

    @Bean
    Leadership cleTestLeadership(ObjectProvider<CoordinatedLeaseLock> lock) {
        return new Leadership(lock::getObject);
    }

    @Bean
    LeaseLockFactory cleTestLeaseLockFactory(Leadership leadership, ObjectProvider<LockThreads> threads) {
        return settings -> leadership.lockOf(settings, threads.getObject().callbacks());
    }
}
