package io.cle.spring.lock.internal;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import io.cle.CoordinatedLeaseLock;
import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleEventsAutoConfiguration;
import io.cle.spring.autoconfigure.CleKubernetesAutoConfiguration;
import io.cle.spring.autoconfigure.CleOnLeaderAutoConfiguration;
import io.cle.spring.event.OnGrantedLeadership;
import io.cle.spring.event.OnLeaderChanged;
import io.cle.spring.event.OnRevokedLeadership;
import io.cle.spring.onleader.OnLeader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

/** Code that closes its own application while this process leads. The drain timeout is 30 s. */
class ClosingWhileLeadingTests {

    private static final Duration IN_TIME = Duration.ofSeconds(15);

    @ParameterizedTest
    @ValueSource(classes = {GrantedListener.class, LeaderListener.class, RevokedListener.class, GuardedSchedule.class})
    void doesNotWaitForItselfAndTheTermHasEnded(Class<?> closing) {
        Closing told = new Closing();
        SpringApplication application = new SpringApplication(Application.class, closing);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        application.addInitializers(context -> context.getBeanFactory().registerSingleton("told", told));
        application.run("--spring.application.name=orders", "--spring.main.banner-mode=off", "--cle.mode=standalone");

        assertThat(told.closed).succeedsWithin(IN_TIME);
        assertThat(told.events).containsExactly("granted", "revoked");
    }

    static final class Closing {
        final CompletableFuture<Void> closed = new CompletableFuture<>();
        final List<String> events = new CopyOnWriteArrayList<>();

        void close(ConfigurableApplicationContext context) {
            context.close();
            closed.complete(null);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    @ImportAutoConfiguration({
        CleAutoConfiguration.class,
        CleEventsAutoConfiguration.class,
        CleKubernetesAutoConfiguration.class,
        CleOnLeaderAutoConfiguration.class,
        TaskSchedulingAutoConfiguration.class
    })
    static class Application {
        private final Closing told;

        Application(Closing told) {
            this.told = told;
        }

        @EventListener
        @Order(Ordered.HIGHEST_PRECEDENCE)
        void on(OnGrantedLeadership granted) {
            told.events.add("granted");
        }

        @EventListener
        @Order(Ordered.HIGHEST_PRECEDENCE)
        void on(OnRevokedLeadership revoked) {
            told.events.add("revoked");
        }
    }

    abstract static class Bean {
        final Closing told;
        final ConfigurableApplicationContext context;

        Bean(Closing told, ConfigurableApplicationContext context) {
            this.told = told;
            this.context = context;
        }
    }

    static class GrantedListener extends Bean {

        GrantedListener(Closing told, ConfigurableApplicationContext context) {
            super(told, context);
        }

        @EventListener(OnGrantedLeadership.class)
        void on() {
            told.close(context);
        }
    }

    static class LeaderListener extends Bean {

        LeaderListener(Closing told, ConfigurableApplicationContext context) {
            super(told, context);
        }

        @EventListener
        void on(OnLeaderChanged changed) {
            if (changed.isSelf()) {
                told.close(context);
            }
        }
    }

    static class RevokedListener extends Bean {
        private final CoordinatedLeaseLock lock;

        RevokedListener(Closing told, ConfigurableApplicationContext context, CoordinatedLeaseLock lock) {
            super(told, context);
            this.lock = lock;
        }

        @EventListener(OnGrantedLeadership.class)
        void resign() {
            lock.resign();
        }

        @EventListener(OnRevokedLeadership.class)
        void on() {
            told.close(context);
        }
    }

    static class GuardedSchedule extends Bean {

        GuardedSchedule(Closing told, ConfigurableApplicationContext context) {
            super(told, context);
        }

        @OnLeader
        @Scheduled(fixedDelay = 50)
        public void tick() {
            // A context that closes earlier receives no event of the term.
            if (told.events.contains("granted")) {
                told.close(context);
            }
        }
    }
}
