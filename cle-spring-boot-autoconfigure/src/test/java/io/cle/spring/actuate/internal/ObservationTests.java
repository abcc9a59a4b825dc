package io.cle.spring.actuate.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.cle.CoordinatedLeaseLock;
import io.cle.spring.actuate.CleActuatorAutoConfiguration;
import io.cle.spring.kubernetes.CleKubernetesAutoConfiguration;
import io.cle.spring.lock.CleAutoConfiguration;
import io.cle.spring.onleader.CleOnLeaderAutoConfiguration;
import io.cle.spring.onleader.OnLeader;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What a tracer sees of led work. */
class ObservationTests {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Writes down what begins and ends, as a tracer would. */
    static final class Recorder implements ObservationHandler<Observation.Context> {
        private final List<String> seen = new CopyOnWriteArrayList<>();

        @Override
        public void onStart(Observation.Context context) {
            seen.add(context.getName() + " begins");
        }

        @Override
        public void onStop(Observation.Context context) {
            StringBuilder line = new StringBuilder(context.getName()).append(" ends");
            for (KeyValue tag : context.getLowCardinalityKeyValues()) {
                line.append(' ').append(tag.getKey()).append('=').append(tag.getValue());
            }
            seen.add(line.append(context.getError() == null ? "" : " failed").toString());
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }

        void await(String line) {
            Awaitility.await(line).atMost(PATIENCE).until(() -> seen.contains(line));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        CleAutoConfiguration.class,
        CleKubernetesAutoConfiguration.class,
        CleActuatorAutoConfiguration.class,
        CleOnLeaderAutoConfiguration.class
    })
    static class Application {
        private boolean failed;

        @Bean
        Recorder recorder() {
            return new Recorder();
        }

        @Bean
        ObservationRegistry observationRegistry(Recorder recorder) {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(recorder);
            return registry;
        }

        @OnLeader
        void work() throws InterruptedException {
            if (!failed) {
                failed = true;
                throw new IllegalStateException("the first attempt fails");
            }
            // Until it is interrupted at the end of the term.
            new CountDownLatch(1).await();
        }
    }

    private static ConfigurableApplicationContext run(Class<?>... configurations) {
        SpringApplication application = new SpringApplication(configurations);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setDefaultProperties(Map.of(
                "cle.mode",
                "standalone",
                "cle.lease-name",
                "orders",
                "cle.identity",
                "a",
                "cle.namespace",
                "shop",
                "cle.on-leader.retry-delay",
                "1ms"));
        return application.run();
    }

    @Test
    void eachRunOfLedWorkIsObserved() {
        try (ConfigurableApplicationContext context = run(Application.class)) {
            Recorder recorder = context.getBean(Recorder.class);
            recorder.await(
                    "cle.work ends identity=orders-a lease=orders lease_namespace=shop work=observationTests.Application.work failed");
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() ->
                            recorder.seen.indexOf("cle.work begins") != recorder.seen.lastIndexOf("cle.work begins"));

            context.getBean(CoordinatedLeaseLock.class).resign();

            recorder.await(
                    "cle.work ends identity=orders-a lease=orders lease_namespace=shop work=observationTests.Application.work");
        }
    }
}
