package io.cle.spring.onleader;

import io.cle.spring.FakeLock;
import io.cle.spring.boot.CleAutoConfiguration;
import io.cle.spring.boot.CleOnLeaderAutoConfiguration;
import io.cle.spring.lock.LeaseLockFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

class OnLeaderRulesTests {

    static Object[] misuses() {
        return new Object[] {
            argumentSet("unknown lease", UnknownLease.class, "UnknownLease.work", "'nowhere'", "[orders, reports]"),
            argumentSet(
                    "unknown lease of a guard",
                    GuardOfUnknown.class,
                    "GuardOfUnknown.on",
                    "'nowhere'",
                    "[orders, reports]"),
            argumentSet("parameters", Parameters.class, "Parameters.work", "parameters", "io.cle.lock.Term"),
            argumentSet("private work", PrivateWork.class, "PrivateWork.work", "private", "public"),
            argumentSet("async work", AsyncWork.class, "AsyncWork.work", "@Async", "Remove @Async"),
            argumentSet("final class", FinalClass.class, "FinalClass.on", "final", "non-final"),
            argumentSet("private guard", PrivateGuard.class, "PrivateGuard.tick", "private", "neither private"),
            argumentSet("nothing to do", Nothing.class, "bean 'worker'", "no effect", "remove the annotation"),
            argumentSet(
                    "lease and controller", Both.class, "Both.work", "'reports' and the controller 'route'", "Keep one")
        };
    }

    @ParameterizedTest
    @MethodSource("misuses")
    void aPlaceWhereItCanNotWorkFailsTheStart(Class<?> bean, String place, String reason, String action) {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(CleAutoConfiguration.class, CleOnLeaderAutoConfiguration.class))
                .withBean(LeaseLockFactory.class, FakeLock::factory)
                .withPropertyValues("spring.application.name=orders", "cle.leases.reports.namespace=office")
                .withBean("worker", bean)
                .run(context -> assertThat(NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure()))
                        .isInstanceOfSatisfying(OnLeaderUsageException.class, failure -> {
                            assertThat(failure).hasMessageContaining(place).hasMessageContaining("'worker'");
                            assertThat(failure).hasMessageContaining(reason);
                            assertThat(failure.action()).contains(action);
                        }));
    }

    static class UnknownLease {
        @OnLeader(lease = "nowhere")
        void work() {}
    }

    static class GuardOfUnknown {
        @OnLeader(lease = "nowhere")
        @EventListener
        public void on(String message) {}
    }

    static class Parameters {
        @OnLeader
        void work(String message) {}
    }

    static class PrivateWork {
        @OnLeader
        @SuppressWarnings("UnusedMethod")
        private void work() {}
    }

    static class AsyncWork {
        @Async
        @OnLeader
        public void work() {}
    }

    static final class FinalClass {
        @OnLeader
        @EventListener
        public void on(String message) {}
    }

    static class PrivateGuard {
        @OnLeader
        @Scheduled(fixedDelay = 1000)
        @SuppressWarnings("UnusedMethod")
        private void tick() {}
    }

    @OnLeader
    static class Nothing {
        public void ordinary() {}
    }

    static class Both {
        @OnLeader(lease = "reports", controller = "route")
        void work() {}
    }
}
