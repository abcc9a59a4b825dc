package io.cle.spring.test;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleOnLeaderAutoConfiguration;
import io.cle.spring.onleader.OnLeader;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.test.util.AopTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** Work under leadership that a test grants is treated like work under a lease. */
class GrantedWorkTests {

    @Test
    void isInterruptedThoughAListenerBlocks() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(CleAutoConfiguration.class, CleOnLeaderAutoConfiguration.class))
                .withUserConfiguration(LeadershipTestConfiguration.class)
                .withBean(Worker.class)
                .withPropertyValues("spring.application.name=orders")
                .run(context -> {
                    Blocking blocking = new Blocking();
                    context.getBean(CoordinatedLeaseLock.class).addListener(blocking);
                    context.publishEvent(new ApplicationReadyEvent(
                            new SpringApplication(),
                            new String[0],
                            context.getSourceApplicationContext(),
                            Duration.ZERO));
                    Leadership leadership = context.getBean(Leadership.class);
                    Worker worker = AopTestUtils.getTargetObject(context.getBean(Worker.class));
                    leadership.grant();
                    assertThat(worker.begun.await(10, TimeUnit.SECONDS)).isTrue();

                    CompletableFuture<Void> revoked =
                            CompletableFuture.runAsync(() -> leadership.revoke(RevokeReason.END_OF_TERM));

                    assertThat(worker.interrupted.await(10, TimeUnit.SECONDS)).isTrue();
                    assertThat(revoked).as("while the listener blocks").isNotDone();
                    blocking.mayReturn.countDown();
                    assertThat(revoked).succeedsWithin(Duration.ofSeconds(10));
                    leadership.awaitWorkEnded();
                });
    }

    static class Worker {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch interrupted = new CountDownLatch(1);

        @OnLeader
        void work() {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        }
    }

    /** A listener that is called before the work's, because it was added first. */
    static class Blocking implements LeadershipListener {
        final CountDownLatch mayReturn = new CountDownLatch(1);

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            try {
                mayReturn.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
