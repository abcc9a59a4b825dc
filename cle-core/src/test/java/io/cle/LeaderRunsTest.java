package io.cle;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockTerm;
import io.cle.lock.internal.LockThreads;
import io.cle.lock.internal.NestedLock;
import io.cle.lock.internal.ProcessLocks;
import io.cle.model.ObjectKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What interrupts led work, and what does not keep it from being interrupted ({@code safety.md#callbacks-off-the-renewal-path}). */
class LeaderRunsTest {

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

    @Test
    void workOfATermThatHasEndedMeanwhileIsNotBegun() throws InterruptedException {
        orders.addListener(new LeadershipListener() {
            @Override
            public void onGranted(Term term) {
                block();
            }

            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                events.add("revoked");
            }
        });
        LeaderRuns runs = work(orders);
        orders.start();
        await(blocked);
        orders.resign();
        while (orders.isLeader()) {
            Thread.onSpinWait();
        }
        released.countDown();

        assertThat(next()).isEqualTo("revoked");
        assertThat(runs.drained(new LockTerm(new ObjectKey("shop", "orders"), "me", 1, Instant.EPOCH, orders))
                        .toCompletableFuture())
                .isDone();
        assertThat(events).isEmpty();
    }

    /** Work that is added while the lock leads begins at once; the end of the term before may be reported after that. */
    @Test
    void workIsNotInterruptedByTheEndOfAnEarlierTermThatIsReportedLate() throws InterruptedException {
        LeaderRuns runs = new LeaderRuns(orders, term -> {
            events.add("works");
            try {
                released.await();
                events.add("ends by itself");
            } catch (InterruptedException e) {
                events.add("interrupted");
            }
        });
        orders.start();
        assertThat(orders.awaitLeadership(Duration.ofSeconds(PATIENCE))).isTrue();
        long token = orders.fencingToken().orElseThrow();
        runs.begin();
        assertThat(next()).isEqualTo("works");

        runs.termEnded(
                new LockTerm(new ObjectKey("shop", "orders"), "me", token - 1, Instant.EPOCH, orders),
                RevokeReason.STOPPED);
        released.countDown();
        assertThat(next()).isEqualTo("ends by itself");
    }

    @Test
    void anErrorOfTheWorkEndsItsRun() throws InterruptedException {
        orders.addListener(new LeaderRuns(orders, term -> {
            throw new NoClassDefFoundError("Missing");
        }));
        orders.start();
        assertThat(orders.awaitLeadership(Duration.ofSeconds(PATIENCE))).isTrue();

        assertThat(orders.resign().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(PATIENCE));
    }

    @Test
    void theLeaseIsHeldForWorkThatWasEndedBeforeItsTermAndGoesOn() throws InterruptedException {
        CountDownLatch stopping = new CountDownLatch(1);
        LeaderElection.LedWork runs = LeaderRuns.of(orders, term -> {
            events.add("works");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                stopping.countDown();
                // The end of the term interrupts it once more.
                while (released.getCount() > 0) {
                    Thread.onSpinWait();
                }
            }
        });
        CountDownLatch asked = new CountDownLatch(1);
        CompletableFuture<Void> allButTheWork = new CompletableFuture<>();
        orders.addListener(new LeadershipListener() {
            @Override
            public CompletionStage<Void> drained(Term term) {
                asked.countDown();
                return allButTheWork;
            }
        });
        orders.start();
        assertThat(next()).isEqualTo("works");

        runs.close();
        await(stopping);
        CompletableFuture<?> resigned = orders.resign().toCompletableFuture();
        await(asked);
        allButTheWork.complete(null);
        CompletableFuture.runAsync(() -> {}, threads.loop()).join();
        assertThat(orders.leader()).as("the holder while the work goes on").hasValue("me");

        released.countDown();
        assertThat(resigned).succeedsWithin(Duration.ofSeconds(PATIENCE));
        assertThat(orders.leader()).isEmpty();
    }

    @Test
    void workThatIsBegunByTheApplicationsThreadDoesNotKeepTheProcessAlive() throws InterruptedException {
        orders.start();
        assertThat(orders.awaitLeadership(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
        LeaderRuns runs = new LeaderRuns(
                orders, term -> events.add("daemon: " + Thread.currentThread().isDaemon()));
        runs.begin();

        assertThat(next()).isEqualTo("daemon: true");
    }

    private LeaderRuns work(CoordinatedLeaseLock lock) {
        LeaderRuns runs = new LeaderRuns(lock, term -> {
            events.add("works");
            try {
                released.await();
            } catch (InterruptedException e) {
                events.add("interrupted");
            }
        });
        lock.addListener(runs);
        return runs;
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
