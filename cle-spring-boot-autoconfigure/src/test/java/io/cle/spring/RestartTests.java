package io.cle.spring;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

import javax.management.ObjectName;

import io.cle.CoordinatedLeaseLock;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.spring.onleader.OnLeader;
import io.cle.test.apiserver.EmbeddedApiServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** An application that is closed and restarted in the same JVM, as devtools does when a class has changed. */
class RestartTests {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final EmbeddedApiServer server = EmbeddedApiServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    private Applications leading() throws InterruptedException {
        Applications applications = new Applications(KubernetesAccess.at(server.url()));
        CoordinatedLeaseLock lock = applications
                .start(
                        "a",
                        new Object(),
                        List.of(Worker.class),
                        "--spring.application.name=orders",
                        "--cle.fallback.delay=0s",
                        "--cle.lease-duration=3600s",
                        "--spring.jmx.enabled=true",
                        "--management.endpoints.jmx.exposure.include=*")
                .getBean(CoordinatedLeaseLock.class);
        assertThat(lock.awaitLeadership(PATIENCE)).isTrue();
        return applications;
    }

    @Test
    void leadsAgainWithoutWaitingForAnExpiry() throws InterruptedException {
        leading().close();
        leading().close();
    }

    @Test
    void leavesNoThreadOfTheFormerContextBehind() throws InterruptedException {
        Set<Thread> before = threads();
        leading().close();
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(threads()).isSubsetOf(before));
    }

    @Test
    void leavesNoMBeanOfTheFormerContextBehind() throws InterruptedException {
        Set<ObjectName> before = mBeans();
        Applications applications = leading();
        assertThat(mBeans()).as("those of a running context").hasSizeGreaterThan(before.size());

        applications.close();

        assertThat(mBeans()).isEqualTo(before);
    }

    private static Set<ObjectName> mBeans() {
        return ManagementFactory.getPlatformMBeanServer().queryNames(null, null).stream()
                .filter(name -> name.toString().toLowerCase(Locale.ROOT).contains("leaderelection"))
                .collect(Collectors.toSet());
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("cle-"))
                .collect(Collectors.toSet());
    }

    static class Worker {

        @OnLeader
        void work() throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }
}
