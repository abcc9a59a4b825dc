package io.cle.lock.internal;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.migration.internal.NestedLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What interrupts led work, and what doesn't prevent that ({@code safety.md#callbacks-off-the-renewal-path}). */
class WorkInterrupterTest {

    private static final long PATIENCE = 10;

    private final LockThreads threads = LockThreads.create("test");
    private final LeaseLock orders = lock("orders");
    private final LeaseLock reports = lock("reports");
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    private LeaseLock lock(String lease) {
        return ProcessLocks.lock(lease, Duration.ofSeconds(30), threads.loop(), threads.callbacks());
    }

    @AfterEach
    void end() {
        released.countDown();
        threads.close();
    }

    @Test
    void workIsInterruptedThoughAListenerOfItsLeaseBlocks() throws InterruptedException {
        orders.addListener(new BlocksWhenRevoked());
        work(orders);
        orders.start();
        assertThat(next()).isEqualTo("works");

        orders.resign();
        await(blocked);
        assertThat(next()).isEqualTo("interrupted");
    }

    @Test
    void workIsInterruptedThoughAListenerOfAnotherLeaseBlocks() throws InterruptedException {
        reports.addListener(new BlocksWhenRevoked());
        work(orders);
        orders.start();
        reports.start();
        assertThat(reports.awaitLeadership(Duration.ofSeconds(PATIENCE))).isTrue();
        assertThat(next()).isEqualTo("works");

        reports.resign();
        await(blocked);
        orders.resign();
        assertThat(next()).isEqualTo("interrupted");
    }

    @Test
    void aListenerIsCalledThoughOneOfAnotherLeaseBlocks() throws InterruptedException {
        reports.addListener(new BlocksWhenRevoked());
        orders.addListener(new LeadershipListener() {
            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                events.add("revoked");
            }
        });
        orders.start();
        reports.start();
        assertThat(orders.awaitLeadership(Duration.ofSeconds(PATIENCE))).isTrue();
        assertThat(reports.awaitLeadership(Duration.ofSeconds(PATIENCE))).isTrue();

        reports.resign();
        await(blocked);
        orders.resign();
        assertThat(next()).isEqualTo("revoked");
    }

    @Test
    void workOfANestedLockIsInterruptedThoughAListenerOfTheOuterOneBlocks() throws InterruptedException {
        NestedLock nested = new NestedLock(orders, reports);
        orders.addListener(new BlocksWhenRevoked());
        work(nested);
        nested.start();
        orders.start();
        assertThat(next()).isEqualTo("works");

        orders.resign();
        await(blocked);
        assertThat(next()).isEqualTo("interrupted");
    }

    private void work(CoordinatedLeaseLock lock) {
        lock.addListener(new WorkInterrupter() {
            @Override
            public void onGranted(Term term) {
                events.add("works");
            }

            @Override
            public void termEnded(Term term, RevokeReason reason) {
                events.add("interrupted");
            }
        });
    }

    private void block() {
        blocked.countDown();
        try {
            released.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String next() throws InterruptedException {
        return events.poll(PATIENCE, TimeUnit.SECONDS);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(PATIENCE, TimeUnit.SECONDS)).as("in time").isTrue();
    }

    private final class BlocksWhenRevoked implements LeadershipListener {
        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            block();
        }
    }
}
