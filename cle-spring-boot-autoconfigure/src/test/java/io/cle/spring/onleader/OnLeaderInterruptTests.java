package io.cle.spring.onleader;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.autoconfigure.CleAutoConfiguration;
import io.cle.spring.autoconfigure.CleKubernetesAutoConfiguration;
import io.cle.spring.autoconfigure.CleOnLeaderAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static io.cle.spring.onleader.LedApplication.await;
import static io.cle.spring.onleader.LedApplication.next;
import static io.cle.spring.onleader.LedApplication.ready;
import static io.cle.spring.onleader.LedApplication.target;
import static org.assertj.core.api.Assertions.assertThat;

/** Interrupts of work on a real lock while a listener blocks ({@code safety.md#callbacks-off-the-renewal-path}). */
class OnLeaderInterruptTests {

    @Test
    void comesThoughAListenerOfTheSameLeaseBlocks() {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        PropertyPlaceholderAutoConfiguration.class,
                        CleAutoConfiguration.class,
                        CleOnLeaderAutoConfiguration.class,
                        CleKubernetesAutoConfiguration.class))
                .withPropertyValues("spring.application.name=orders", "cle.mode=standalone")
                .withBean("blocking", Blocking.class)
                .withBean("worker", Worker.class);
        ready(runner, context -> {
            Worker worker = target(context, Worker.class);
            Blocking blocking = context.getBean(Blocking.class);
            assertThat(next(worker.events)).isEqualTo("works");

            context.getBean(CoordinatedLeaseLock.class).resign();
            await(blocking.blocked);
            assertThat(next(worker.events)).isEqualTo("interrupted");
            blocking.released.countDown();
        });
    }

    static class Worker {

        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

        @OnLeader
        public void work() {
            events.add("works");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                events.add("interrupted");
            }
        }
    }

    /** A listener that is called before the work's, because it was added first. */
    static class Blocking implements LeadershipListener {

        private final CountDownLatch blocked = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        Blocking(CoordinatedLeaseLock lock) {
            lock.addListener(this);
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            blocked.countDown();
            await(released);
        }
    }
}
