package io.cle.samples.recipes;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.cle.CoordinatedLeaseLock;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseLockProviderTests {

    @Test
    void aScheduledMethodWithALockRunsOnTheLeader() throws InterruptedException {
        try (ConfigurableApplicationContext context = Standalone.run(Locks.class, Scheduling.class)) {
            assertThat(context.getBean("runs", BlockingQueue.class).poll(10, TimeUnit.SECONDS))
                    .isEqualTo("report");
        }
    }

    @Test
    void noLockIsGivenIfThisProcessDoesNotLead() {
        try (ConfigurableApplicationContext context = Standalone.run(Locks.class)) {
            LeaseLockProvider locks = context.getBean(LeaseLockProvider.class);
            locks.lock(lock(Duration.ZERO)).orElseThrow().unlock();
            Standalone.resign(context);
            assertThat(locks.lock(lock(Duration.ZERO))).isEmpty();
        }
    }

    @Test
    void aLockIsGivenOnceAtATimeAndIsKeptForItsMinimum() {
        try (ConfigurableApplicationContext context = Standalone.run(Locks.class)) {
            LeaseLockProvider locks = context.getBean(LeaseLockProvider.class);
            SimpleLock first = locks.lock(lock(Duration.ZERO)).orElseThrow();
            assertThat(locks.lock(lock(Duration.ZERO))).isEmpty();
            first.unlock();
            SimpleLock second = locks.lock(lock(Duration.ofMinutes(1))).orElseThrow();
            second.unlock();
            assertThat(locks.lock(lock(Duration.ZERO)))
                    .as("before lockAtLeastFor is over")
                    .isEmpty();
        }
    }

    @Test
    void theLeaseIsReleasedAfterTheTaskHasEnded() {
        try (ConfigurableApplicationContext context = Standalone.run(Locks.class)) {
            Optional<SimpleLock> task = context.getBean(LeaseLockProvider.class).lock(lock(Duration.ZERO));
            CompletableFuture<?> released = Standalone.lock(context).resign().toCompletableFuture();
            assertThat(released).isNotDone();
            task.orElseThrow().unlock();
            assertThat(released).succeedsWithin(Duration.ofSeconds(10));
        }
    }

    private static LockConfiguration lock(Duration atLeast) {
        return new LockConfiguration(Instant.now(), "report", Duration.ofMinutes(5), atLeast);
    }

    @Configuration(proxyBeanMethods = false)
    static class Locks {

        @Bean
        LeaseLockProvider lockProvider(ObjectProvider<CoordinatedLeaseLock> lock) {
            return new LeaseLockProvider(lock);
        }
    }

    @EnableScheduling
    @EnableSchedulerLock(defaultLockAtMostFor = "PT5M")
    @Configuration(proxyBeanMethods = false)
    static class Scheduling {

        @Bean
        BlockingQueue<String> runs() {
            return new LinkedBlockingQueue<>();
        }

        @Bean
        Reports reports(BlockingQueue<String> runs) {
            return new Reports(runs);
        }
    }

    static class Reports {
        private final BlockingQueue<String> runs;

        Reports(BlockingQueue<String> runs) {
            this.runs = runs;
        }

        @Scheduled(fixedDelay = 10)
        @SchedulerLock(name = "report")
        public void report() {
            runs.add("report");
        }
    }
}
