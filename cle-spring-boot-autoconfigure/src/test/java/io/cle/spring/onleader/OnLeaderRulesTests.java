package io.cle.spring.onleader;

import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.cle.Term;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.servlet.context.ServletWebServerInitializedEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Mono;

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
            argumentSet("private work", PrivateWork.class, "PrivateWork.work", "private", "public"),
            argumentSet("static work", StaticWork.class, "StaticWork.work", "static", "an instance method"),
            argumentSet("final work", FinalWork.class, "FinalWork.work", "it is final", "non-final"),
            argumentSet("work of a record", RecordWork.class, "RecordWork.work", "is final", "a record"),
            argumentSet("publisher of an async class", AsyncClass.class, "AsyncClass.on", "never run", "Remove @Async"),
            argumentSet("final class", FinalClass.class, "FinalClass.on", "final", "non-final"),
            argumentSet("private guard", PrivateGuard.class, "PrivateGuard.tick", "private", "public"),
            argumentSet(
                    "lazy result", LazyResult.class, "LazyResult.work", "java.util.concurrent.Callable", "a future"),
            argumentSet("lazy result of a guard", LazyGuard.class, "LazyGuard.on", "Stream", "a future"),
            argumentSet("async publisher", AsyncPublisher.class, "AsyncPublisher.on", "never run", "Remove @Async"),
            argumentSet("guard's term", TermOfGuard.class, "TermOfGuard.on", "Term", "Term.current()"),
            argumentSet("unknown property", UnknownProperty.class, "UnknownProperty.work", "'${no.such}'", "default"),
            argumentSet(
                    "ready listener",
                    OnReady.class,
                    "OnReady.on",
                    "The method would never run",
                    "an @OnLeader method without"),
            argumentSet(
                    "refresh listener of a class",
                    OnRefresh.class,
                    "OnRefresh.on",
                    "ContextRefreshedEvent",
                    "OnGrantedLeadership"),
            argumentSet("close listener", OnClose.class, "OnClose.on", "ContextClosedEvent", "OnRevokedLeadership"),
            argumentSet(
                    "web server's listener",
                    OnServer.class,
                    "OnServer.on",
                    "WebServerInitializedEvent",
                    "remove the trigger"),
            argumentSet("nothing to do", Nothing.class, "bean 'worker'", "no effect", "remove the annotation"),
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

    @Async
    static class AsyncClass {
        @OnLeader
        @EventListener
        public Mono<String> on(String message) {
            return Mono.just(message);
        }
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

    static class LazyResult {
        @OnLeader
        Callable<String> work() {
            return () -> "done";
        }
    }

    static class LazyGuard {
        @OnLeader
        @EventListener
        public Stream<String> on(String message) {
            return Stream.of(message);
        }
    }

    static class AsyncPublisher {
        @Async
        @OnLeader
        @EventListener
        public Mono<String> on(String message) {
            return Mono.just(message);
        }
    }

    static class TermOfGuard {
        @OnLeader
        @EventListener
        public void on(Term term) {}
    }

    static class UnknownProperty {
        @OnLeader(lease = "${no.such}")
        void work() {}
    }

    static class OnReady {
        @OnLeader
        @EventListener(ApplicationReadyEvent.class)
        public void on() {}
    }

    @OnLeader
    static class OnRefresh {
        @EventListener
        public void on(ContextRefreshedEvent event) {}
    }

    static class OnClose {
        @OnLeader
        @EventListener
        public void on(ContextClosedEvent event) {}
    }

    static class OnServer {
        @OnLeader
        @EventListener
        public void on(ServletWebServerInitializedEvent event) {}
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
