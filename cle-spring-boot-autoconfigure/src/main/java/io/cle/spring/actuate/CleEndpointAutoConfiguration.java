package io.cle.spring.actuate;

import io.cle.spring.actuate.internal.LeaderElectionEndpoint;
import io.cle.spring.kubernetes.internal.MarkedPod;
import io.cle.spring.lock.CleAutoConfiguration;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.internal.CandidateAvailability;
import io.cle.spring.lock.internal.ConditionalOnCleEnabled;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.Leases;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Auto-configuration for the actuator endpoint {@code leaderelection}. */
@AutoConfiguration(after = CleAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnCleEnabled
@ConditionalOnBean(LeaseLocks.class)
public final class CleEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint
    LeaderElectionEndpoint cleLeaderElectionEndpoint(
            Leases leases,
            ObjectProvider<LeaseLockFactory> factory,
            CandidateAvailability availability,
            @Nullable MarkedPod pod) {
        // The factory needs the cluster, which is looked for only if a lease is joined.
        return new LeaderElectionEndpoint(leases, factory::getIfAvailable, availability, pod);
    }
}
