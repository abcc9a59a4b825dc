package io.cle.spring.actuate;

import java.util.List;

import io.cle.spring.FakeLock;
import io.cle.spring.MigrationFile;
import io.cle.spring.actuate.internal.LeaderElectionEndpoint;
import io.cle.spring.actuate.internal.LeaderElectionHealthIndicator;
import io.cle.spring.actuate.internal.LeaderElectionMetrics;
import io.cle.spring.actuate.internal.LeaseDescriptor;
import io.cle.spring.autoconfigure.CleActuatorAutoConfiguration;
import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleOnLeaderAutoConfiguration;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.onleader.OnLeader;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

class ActuatorAutoConfigurationTests {

    private static final List<Class<?>> BEANS =
            List.of(LeaderElectionEndpoint.class, LeaderElectionHealthIndicator.class, LeaderElectionMetrics.class);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CleAutoConfiguration.class, CleActuatorAutoConfiguration.class))
            .withBean(LeaseLockFactory.class, FakeLock::factory)
            .withPropertyValues("spring.application.name=orders", "management.endpoints.web.exposure.include=*");

    @Test
    void autoConfigurationAddsEndpointHealthAndMeters() {
        runner.run(context -> BEANS.forEach(bean -> assertThat(context).hasSingleBean(bean)));
    }

    @Test
    void autoConfigurationDoesNothingWithoutLocks() {
        runner.withPropertyValues("cle.enabled=false")
                .run(context -> BEANS.forEach(bean -> assertThat(context).doesNotHaveBean(bean)));
    }

    @Test
    void autoConfigurationDoesNothingWithoutTheActuator() {
        runner.withClassLoader(new FilteredClassLoader(
                        Endpoint.class.getPackageName(),
                        HealthIndicator.class.getPackageName(),
                        MeterBinder.class.getPackageName()))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(LeaseLocks.class);
                    BEANS.forEach(bean ->
                            assertThat(context.getBeanNamesForType(bean)).isEmpty());
                });
    }

    @Test
    void autoConfigurationDoesNotNeedOnePartForTheOthers() {
        runner.withClassLoader(new FilteredClassLoader(HealthIndicator.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LeaderElectionEndpoint.class)
                        .hasSingleBean(LeaderElectionMetrics.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class Jobs {

        @OnLeader(controller = "invoices")
        void sendInvoices() {}
    }

    @Test
    void theSharedLeaseOfAMigrationIsOnTheEndpointAndInTheMeters() {
        ApplicationContextRunner withJobs = runner.withConfiguration(
                        AutoConfigurations.of(CleOnLeaderAutoConfiguration.class))
                .withUserConfiguration(Jobs.class);
        withJobs.withPropertyValues("cle.migration.enabled=true", MigrationFile.of("shop-to-billing", "invoices=*"))
                .run(context -> {
                    SimpleMeterRegistry registry = new SimpleMeterRegistry();
                    LeaderElectionMetrics metrics = context.getBean(LeaderElectionMetrics.class);
                    metrics.bindTo(registry);
                    context.getBean(Leases.class).all().forEach(lease -> metrics.customize(lease.name(), lease.lock()));

                    assertThat(registry.get("leader.election.master.status")
                                    .tag("name", "shop-to-billing")
                                    .gauge()
                                    .value())
                            .isZero();
                    LeaseDescriptor shared =
                            context.getBean(LeaderElectionEndpoint.class).lease("shop-to-billing");
                    assertThat(shared).isNotNull();
                    assertThat(shared.work())
                            .singleElement()
                            .satisfies(work -> assertThat(work.work()).endsWith("sendInvoices"));
                });
        withJobs.run(context -> assertThat(
                        context.getBean(LeaderElectionEndpoint.class).lease("shop-to-billing"))
                .isNull());
    }

    @Test
    void autoConfigurationBacksOffWhenTheEndpointIsNotExposed() {
        runner.withPropertyValues("management.endpoints.web.exposure.include=health")
                .run(context -> assertThat(context).doesNotHaveBean(LeaderElectionEndpoint.class));
    }

    @Test
    void autoConfigurationBacksOffWhenTheHealthIndicatorIsDisabled() {
        runner.withPropertyValues("management.health.leader-election.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(LeaderElectionHealthIndicator.class));
    }

    @Test
    void autoConfigurationBacksOffWhenUserProvidesEndpoint() {
        LeaderElectionEndpoint own = new LeaderElectionEndpoint(FakeLock.leases(new FakeLock("mine")), null);
        runner.withBean("own", LeaderElectionEndpoint.class, () -> own)
                .run(context -> assertThat(context)
                        .getBean(LeaderElectionEndpoint.class)
                        .isSameAs(own));
    }
}
