package io.cle.spring.actuate;

import io.cle.spring.actuate.internal.LeaderElectionInfoContributor;
import io.cle.spring.lock.CleAutoConfiguration;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.internal.ConditionalOnCleEnabled;
import io.cle.spring.lock.internal.Leases;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration for the leases on the info endpoint. */
@AutoConfiguration(after = CleAutoConfiguration.class)
@ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
@ConditionalOnCleEnabled
@ConditionalOnBean(LeaseLocks.class)
@ConditionalOnEnabledInfoContributor("leader-election")
public final class CleInfoAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    LeaderElectionInfoContributor cleLeaderElectionInfoContributor(Leases leases) {
        return new LeaderElectionInfoContributor(leases);
    }
}
