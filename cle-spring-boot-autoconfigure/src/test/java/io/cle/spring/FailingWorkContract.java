package io.cle.spring;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.cle.CoordinatedLeaseLock;
import io.cle.ResourceLock;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.spring.onleader.OnLeader;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A replica whose work fails resigns, and another one leads. */
abstract class FailingWorkContract {

    abstract KubernetesAccess access();

    /**
     * The work that was done, and by which replica.
     *
     * @param secondIsUp opens when the second replica has started; only then does the first one's work fail
     */
    record Log(BlockingQueue<String> entries, CountDownLatch secondIsUp) {

        String next() throws InterruptedException {
            return entries.poll(Duration.ofSeconds(60).toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** Work that fails on replica {@code a}, which resigns. */
    static class Worker {
        private final Log log;
        private final String replica;
        private final CoordinatedLeaseLock lock;

        Worker(Log log, String replica, CoordinatedLeaseLock lock) {
            this.log = log;
            this.replica = replica;
            this.lock = lock;
        }

        @OnLeader
        void work() throws InterruptedException {
            log.entries().add(replica + " works");
            if (replica.equals("a")) {
                log.secondIsUp().await();
                lock.resign();
            }
            new CountDownLatch(1).await();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"COORDINATEDLEASES", "LEASES"})
    void resignsSoThatAnotherReplicaDoesIt(ResourceLock lock) throws InterruptedException {
        Log log = new Log(new LinkedBlockingQueue<>(), new CountDownLatch(1));
        String[] arguments = {
            "--spring.application.name=failing-" + UUID.randomUUID().toString().substring(0, 8),
            "--cle.resource-lock=" + lock.name().toLowerCase(Locale.ROOT),
            "--cle.lease-duration=6s",
            "--cle.renew-deadline=4s",
            "--cle.retry-period=200ms",
            "--cle.fallback.delay=0s"
        };
        try (Applications applications = new Applications(access())) {
            applications.start("a", log, List.of(Worker.class), arguments);
            assertThat(log.next()).isEqualTo("a works");
            applications.start("b", log, List.of(Worker.class), arguments);

            log.secondIsUp().countDown();

            assertThat(log.next()).isEqualTo("b works");
        }
    }
}
