package io.cle.spring.onleader;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

import io.cle.RevokeReason;
import io.cle.spring.FakeLock;
import io.cle.spring.MigrationFile;
import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleOnLeaderAutoConfiguration;
import io.cle.spring.lock.internal.LeaseLockFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;

import static io.cle.spring.onleader.LedApplication.next;
import static org.assertj.core.api.Assertions.assertThat;

/** Controllers run under the lease that their assignment selects, or not at all in this component. */
class OnLeaderControllerTests {

    static class Controllers {
        private final BlockingQueue<String> ran;

        Controllers(BlockingQueue<String> ran) {
            this.ran = ran;
        }

        @OnLeader(controller = "here")
        void here() {
            ran.add("here");
        }

        @OnLeader(controller = "elsewhere")
        void elsewhere() {
            ran.add("elsewhere");
        }

        @OnLeader(controller = "here")
        @EventListener
        void guardedHere(String event) {
            ran.add(event + " here");
        }

        @OnLeader(controller = "elsewhere")
        @EventListener
        void guardedElsewhere(String event) {
            ran.add(event + " elsewhere");
        }
    }

    @OnLeader(controller = "elsewhere")
    static class Poller extends StartedBean {
        private volatile boolean started;

        @Override
        public void start() {
            started = true;
            super.start();
        }
    }

    @Test
    void controllersOfOtherComponentsNeverRunAndTheOthersRunUnderTheirLease() {
        Map<String, FakeLock> locks = new ConcurrentHashMap<>();
        BlockingQueue<String> ran = new LinkedBlockingQueue<>();
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(CleAutoConfiguration.class, CleOnLeaderAutoConfiguration.class))
                .withBean(
                        LeaseLockFactory.class, () -> settings -> locks.computeIfAbsent(settings.name(), FakeLock::new))
                .withBean(Controllers.class, () -> new Controllers(ran))
                .withBean(Poller.class)
                .withPropertyValues(
                        "spring.application.name=orders",
                        "cle.migration.enabled=true",
                        MigrationFile.of("shared", "here=*", "elsewhere=billing"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.publishEvent(new ApplicationReadyEvent(
                            new SpringApplication(),
                            new String[0],
                            context.getSourceApplicationContext(),
                            Duration.ZERO));
                    FakeLock main = locks.get("orders");
                    FakeLock shared = locks.get("shared");

                    main.grant();
                    context.publishEvent("guarded under the main lease");
                    shared.grant();
                    context.publishEvent("guarded under the shared lease");
                    assertThat(List.of(next(ran), next(ran)))
                            .containsExactlyInAnyOrder("here", "guarded under the shared lease here");

                    // Waits for the end of all work that has begun.
                    shared.revoke(RevokeReason.RESIGNED).join();
                    main.revoke(RevokeReason.RESIGNED).join();
                    assertThat(ran).isEmpty();
                    assertThat(context.getBean(Poller.class).started).isFalse();
                });
    }
}
