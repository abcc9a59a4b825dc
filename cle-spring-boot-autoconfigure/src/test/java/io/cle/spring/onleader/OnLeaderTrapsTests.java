package io.cle.spring.onleader;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.Callable;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

/** Methods that other code calls, which no guard can restrict to the leader: the application doesn't start. */
class OnLeaderTrapsTests {

    static Object[] traps() {
        String request = "RequireLeader";
        String container = "LeaderKafkaListener";
        String term = "OnGrantedLeadership";
        return new Object[] {
            argumentSet("request", Request.class, "Request.led", "@GetMapping", request),
            argumentSet("request of an interface", RequestOfInterface.class, ".led", "@GetMapping", request),
            argumentSet("request by an annotation of one's own", MetaRequest.class, ".led", "@Led", request),
            argumentSet("scheduled request", ScheduledRequest.class, ".led", "@GetMapping", request),
            argumentSet("message mapping", Messages.class, "Messages.on", "@MessageMapping", container),
            argumentSet("listener of a container", Queue.class, "Queue.on", "@QueueListener", container),
            argumentSet("integration", Endpoint.class, "Endpoint.on", "@ServiceActivator", container),
            argumentSet("message of a class", QueueOfClass.class, "QueueOfClass.on", "@QueueListener", container),
            argumentSet("initialization", Init.class, "Init.init", "@PostConstruct", term),
            argumentSet("scheduled initialization", ScheduledInit.class, ".init", "@PostConstruct", term),
            argumentSet("destruction", Destroy.class, "Destroy.bye", "@PreDestroy", term),
            argumentSet("request of a class", RequestOfClass.class, "RequestOfClass.led", "@GetMapping", request),
        };
    }

    @ParameterizedTest
    @MethodSource("traps")
    void failTheStartWithWhatToDoInstead(Class<?> bean, String place, String by, String action) {
        LedApplication.runner().withUserConfiguration(bean).run(context -> {
            FailureAnalysis analysis = analysis(context.getStartupFailure());
            assertThat(analysis.getDescription()).contains(place).contains("can't be guarded: by " + by);
            assertThat(analysis.getAction()).contains(action);
        });
    }

    @Test
    void failTheStartIfElectionIsSwitchedOff() {
        LedApplication.runner()
                .withPropertyValues("cle.enabled=false")
                .withUserConfiguration(Request.class)
                .run(context -> assertThat(analysis(context.getStartupFailure()).getDescription())
                        .contains("Request.led"));
    }

    @Test
    void areNoneBesideAnAnnotationOfTheClassIfTheBeanIsOnlyPrepared() {
        LedApplication.runner()
                .withUserConfiguration(PreparedLifecycle.class, PreparedGuard.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void areNoneByAnnotationsThatAreNotListed() {
        LedApplication.runner()
                .withUserConfiguration(Unlisted.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static FailureAnalysis analysis(Throwable failure) {
        return SpringFactoriesLoader.forDefaultResourceLocation().load(FailureAnalyzer.class, ignored()).stream()
                .map(analyzer -> analyzer.analyze(failure))
                .filter(analysis -> analysis != null && analysis.getCause() instanceof OnLeaderUsageException)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no analysis of the failure", failure));
    }

    private static SpringFactoriesLoader.FailureHandler ignored() {
        return (type, name, failure) -> {};
    }

    @OnLeader
    static class Unlisted implements AutoCloseable {
        @Override
        @OnLeader
        public void close() {}

        @OnLeader
        @EventListener
        public void on(ApplicationReadyEvent event) {}

        @OnLeader
        Callable<String> work() {
            return () -> "nobody calls it";
        }
    }

    static class Request {
        @OnLeader
        @GetMapping("/led")
        String led() {
            return "led";
        }
    }

    interface Api {
        @GetMapping("/led")
        String led();
    }

    static class RequestOfInterface implements Api {
        @Override
        @OnLeader
        public String led() {
            return "led";
        }
    }

    @OnLeader
    @RequestMapping("/led")
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Led {}

    static class MetaRequest {
        @Led
        String led() {
            return "led";
        }
    }

    static class ScheduledRequest {
        @OnLeader
        @GetMapping("/led")
        @Scheduled(fixedDelay = 1000)
        public void led() {}
    }

    static class Messages {
        @OnLeader
        @MessageMapping("orders")
        void on() {}
    }

    /** An annotation of a message listener, like those for Kafka, RabbitMQ and JMS. */
    @MessageMapping
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface QueueListener {}

    static class Endpoint {
        @OnLeader
        @ServiceActivator(inputChannel = "orders")
        void on(String message) {}
    }

    @OnLeader
    static class QueueOfClass {
        @QueueListener
        void on(String message) {}
    }

    static class Queue {
        @OnLeader
        @QueueListener
        void on(String message) {}
    }

    static class Init {
        @OnLeader
        @PostConstruct
        void init() {}
    }

    static class ScheduledInit {
        @OnLeader
        @PostConstruct
        @Scheduled(fixedDelay = 1000)
        public void init() {}
    }

    static class Destroy {
        @OnLeader
        @PreDestroy
        void bye() {}
    }

    @OnLeader
    @RestController
    static class RequestOfClass {
        @Scheduled(fixedDelay = 1000)
        public void tick() {}

        @GetMapping("/led")
        public String led() {
            return "led";
        }
    }

    @OnLeader
    static class PreparedLifecycle extends StartedBean {
        @PostConstruct
        void init() {}
    }

    @OnLeader
    static class PreparedGuard implements InitializingBean {
        @Scheduled(fixedDelay = 1000)
        public void tick() {}

        @PostConstruct
        void init() {}

        @Autowired
        void set(Environment environment) {}

        @Override
        public void afterPropertiesSet() {}
    }
}
