package io.cle.spring.integration;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.cle.CoordinatedLeaseLock;
import io.cle.RevokeReason;
import io.cle.spring.FakeLock;
import io.cle.spring.lock.CleAutoConfiguration;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.onleader.StartedBean;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.integration.leader.event.AbstractLeaderEvent;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.integration.leader.event.OnRevokedEvent;
import org.springframework.integration.support.SmartLifecycleRoleController;

import static org.assertj.core.api.Assertions.assertThat;

class CleIntegrationAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(CleAutoConfiguration.class, CleIntegrationAutoConfiguration.class))
            .withBean(LeaseLockFactory.class, FakeLock::factory)
            .withPropertyValues("spring.application.name=orders");

    @Test
    void grantedAndRevokedArePublishedWithTheLeaseAsTheRole() {
        runner.withBean(Recorder.class).run(context -> {
            FakeLock lock = lock(context);
            Recorder recorder = context.getBean(Recorder.class);

            lock.grant();
            AbstractLeaderEvent granted = recorder.next();
            assertThat(granted).isInstanceOf(OnGrantedEvent.class);
            assertThat(granted.getRole()).isEqualTo("orders");
            assertThat(granted.getContext().isLeader()).isTrue();

            granted.getContext().yield();
            assertThat(recorder.next()).isInstanceOf(OnRevokedEvent.class);
            assertThat(granted.getContext().isLeader()).isFalse();
        });
    }

    @Test
    void endpointsInTheRoleAreStartedAndStoppedBeforeTheLeaseIsReleased() {
        runner.withUserConfiguration(Roles.class).run(context -> {
            FakeLock lock = lock(context);
            Endpoint endpoint = context.getBean(Endpoint.class);
            assertThat(endpoint.isRunning()).isFalse();

            lock.grant();
            assertThat(endpoint.isRunning()).isTrue();

            lock.revoke(RevokeReason.END_OF_TERM).join();
            assertThat(endpoint.isRunning()).isFalse();
        });
    }

    @Test
    void backsOffWithoutSpringIntegration() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.integration"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(IntegrationLeaderEvents.class));
    }

    @Test
    void backsOffIfElectionIsSwitchedOff() {
        runner.withPropertyValues("cle.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(IntegrationLeaderEvents.class));
    }

    private static FakeLock lock(ApplicationContext context) {
        FakeLock lock = (FakeLock) context.getBean(CoordinatedLeaseLock.class);
        context.getBean(IntegrationLeaderEvents.class).customize("orders", lock);
        return lock;
    }

    static class Recorder {
        private final BlockingQueue<AbstractLeaderEvent> events = new LinkedBlockingQueue<>();

        @EventListener
        void on(AbstractLeaderEvent event) {
            events.add(event);
        }

        AbstractLeaderEvent next() throws InterruptedException {
            return events.poll(10, TimeUnit.SECONDS);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Roles {

        @Bean
        Endpoint endpoint() {
            return new Endpoint();
        }

        @Bean
        SmartLifecycleRoleController roles(Endpoint endpoint) {
            SmartLifecycleRoleController roles = new SmartLifecycleRoleController();
            roles.addLifecycleToRole("orders", endpoint);
            return roles;
        }
    }

    static class Endpoint extends StartedBean {

        @Override
        public boolean isAutoStartup() {
            return false;
        }
    }
}
