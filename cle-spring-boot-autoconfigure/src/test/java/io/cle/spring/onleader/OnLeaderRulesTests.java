package io.cle.spring.onleader;

import io.cle.spring.lock.internal.WorkLog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.event.EventListener;
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
            argumentSet("parameters", Parameters.class, "Parameters.work", "parameters", "io.cle.Term"),
            argumentSet("private work", PrivateWork.class, "PrivateWork.work", "private", "neither private"),
            argumentSet("static work", StaticWork.class, "StaticWork.work", "static", "an instance method"),
            argumentSet("final work", FinalWork.class, "FinalWork.work", "it is final", "nor final"),
            argumentSet("work of a record", RecordWork.class, "RecordWork.work", "is final", "a record"),
            argumentSet("final class", FinalClass.class, "FinalClass.on", "is final", "isn't final"),
            argumentSet("private guard", PrivateGuard.class, "PrivateGuard.tick", "private", "neither private"),
            argumentSet(
                    "lease and controller", Both.class, "Both.work", "'reports' and the controller 'route'", "Keep one")
        };
    }

    @ParameterizedTest
    @MethodSource("misuses")
    void aPlaceWhereItCanNotWorkFailsTheStart(Class<?> bean, String place, String reason, String action) {
        LedApplication.runner()
                .withBean("worker", bean)
                .run(context -> LedApplication.assertThatStartIsRefused(context, place, reason, action));
    }

    @Test
    void aPropertyThatThereIsNotFailsTheStart() {
        LedApplication.runner()
                .withBean("worker", UnknownProperty.class)
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("'no.such'"));
    }

    @Test
    void aNameThatResolvesToNothingIsTheDefaultLease() {
        LedApplication.ready(EmptyProperty.class, context -> {
            LedApplication.lock(context).grant();
            Awaitility.await().until(() -> LedApplication.status(context).state() == WorkLog.State.DONE);
        });
    }

    static class EmptyProperty {
        @OnLeader(lease = "${no.such:}")
        void work() {}
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

    static class StaticWork {
        @OnLeader
        static void work() {}
    }

    static class FinalWork {
        @OnLeader
        final void work() {}
    }

    record RecordWork() {
        @OnLeader
        void work() {}
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

    static class UnknownProperty {
        @OnLeader(lease = "${no.such}")
        void work() {}
    }

    static class Both {
        @OnLeader(lease = "reports", controller = "route")
        void work() {}
    }
}
