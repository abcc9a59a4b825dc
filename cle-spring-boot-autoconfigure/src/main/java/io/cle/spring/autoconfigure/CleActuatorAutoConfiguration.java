package io.cle.spring.autoconfigure;

import io.cle.loop.internal.Clock;
import io.cle.spring.actuate.internal.LeaderElectionEndpoint;
import io.cle.spring.actuate.internal.LeaderElectionHealthIndicator;
import io.cle.spring.actuate.internal.LeaderElectionMetrics;
import io.cle.spring.kubernetes.internal.MarkedPod;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.internal.Leases;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Auto-configuration for the endpoint, the health contributor and the meters of leader election. */
@AutoConfiguration(after = CleAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "cle.enabled", matchIfMissing = true)
@ConditionalOnBean(LeaseLocks.class)
public final class CleActuatorAutoConfiguration {

    /** The actuator endpoint {@code leaderelection}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    static final class EndpointConfiguration {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnAvailableEndpoint
        LeaderElectionEndpoint cleLeaderElectionEndpoint(Leases leases, @Nullable MarkedPod pod) {
            return new LeaderElectionEndpoint(leases, pod);
        }
    }

    /** The health contributor {@code leaderElection}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static final class HealthConfiguration {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnEnabledHealthIndicator("leader-election")
        LeaderElectionHealthIndicator leaderElectionHealthIndicator(Leases leases) {
            return new LeaderElectionHealthIndicator(leases, Clock.system());
        }
    }

    /** The meters, which every meter registry binds. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static final class MetricsConfiguration {

        @Bean
        @ConditionalOnMissingBean
        LeaderElectionMetrics cleLeaderElectionMetrics(Leases leases) {
            return new LeaderElectionMetrics(leases);
        }
    }
}
