package io.cle;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockThreads;
import io.cle.lock.internal.ProcessLocks;
import io.cle.migration.internal.NestedLock;
import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.strategy.stress.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Checks led work with Lincheck: whichever threads start, stop and resign a lock, the work of its listener
 * runs exactly while it would under some sequence of the same calls. The threads of the event loop, of
 * listeners and of the work are real. Each call returns once all its effects have happened, and each result is
 * compared with {@link LockSpecification} or {@link NestedSpecification}. {@code -Dcle.lincheck=100} runs a
 * hundred times as many scenarios.
 */
class LedWorkLincheckTest {

    private static final int TIMES = Integer.getInteger("cle.lincheck", Boolean.getBoolean("cle.thorough") ? 10 : 1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final LockThreads THREADS = LockThreads.create("lincheck");
    private static final AtomicInteger LEASES = new AtomicInteger();

    /** Ends the work of the previous invocation. */
    private static final AtomicReference<Runnable> FORMER = new AtomicReference<>(() -> {});

    private static StressOptions options(Class<?> specification) {
        return new StressOptions()
                .iterations(2 * TIMES)
                .invocationsPerIteration(100)
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(2)
                .sequentialSpecification(specification);
    }

    private static LeaseLock lock() {
        return ProcessLocks.lock("lease" + LEASES.incrementAndGet(), PATIENCE, THREADS.loop(), THREADS.callbacks());
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static void await(BooleanSupplier condition, Supplier<String> state) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("doesn't settle: " + state.get());
            }
            LockSupport.parkNanos(50_000);
        }
    }

    /** Waits until the event loop has run all tasks that it has now. */
    private static void afterTheLoop() throws Exception {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        THREADS.loop().execute(() -> reached.complete(null));
        await(reached);
    }

    /** Work that runs until it is interrupted, on a new thread for each term. */
    private static final class Work implements LeadershipListener {
        private final AtomicInteger running = new AtomicInteger();
        private final CountDownLatch never = new CountDownLatch(1);
        private volatile Thread thread = new Thread();
        private volatile CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);
        private volatile long begun = Long.MIN_VALUE;

        @Override
        public void onGranted(Term term) {
            CompletableFuture<Void> returned = new CompletableFuture<>();
            ended = returned;
            thread = new Thread(() -> run(term, returned), "work");
            thread.setDaemon(true);
            thread.start();
        }

        @Override
        public void onRevoked(Term term, RevokeReason reason) {
            thread.interrupt();
        }

        @Override
        public CompletionStage<Void> drained(Term term) {
            return ended;
        }

        private void run(Term term, CompletableFuture<Void> returned) {
            running.incrementAndGet();
            begun = term.fencingToken();
            try {
                never.await();
            } catch (InterruptedException endOfTerm) {
                running.decrementAndGet();
            } finally {
                returned.complete(null);
            }
        }

        /** Whether the work of the lock's current term has begun; also true without a term. */
        boolean begun(LockSnapshot leading) {
            LockSnapshot.Leading term = leading.leading();
            return term == null || begun >= term.fencingToken();
        }
    }

    /** A stand-alone lock. */
    public static class Lock {
        private final LeaseLock lock = lock();
        private final Work work = new Work();
        /** Whether the lock has resigned and stays out. */
        private volatile boolean away;

        public Lock() {
            FORMER.getAndSet(lock::stop).run();
            lock.addListener(work);
        }

        @Operation
        public void start() throws Exception {
            lock.start();
            settle();
        }

        @Operation
        public void stop() throws Exception {
            await(lock.stop());
            away = false;
        }

        @Operation
        public String resign() throws Exception {
            Resignation outcome = await(lock.resign());
            away |= outcome == Resignation.RELEASED;
            return outcome.name();
        }

        @Operation
        public int works() {
            return work.running.get();
        }

        private void settle() throws Exception {
            afterTheLoop();
            await(this::isSettled, () -> lock.snapshot() + ", works " + work.running + ", begun " + work.begun);
        }

        private boolean isSettled() {
            LockSnapshot snapshot = lock.snapshot();
            boolean ends = away || !lock.isRunning();
            return snapshot.role() != Role.DRAINING && (snapshot.role() == Role.LEADER || ends) && work.begun(snapshot);
        }
    }

    /** The sequential behaviour of a lock. */
    public static class LockSpecification {
        private boolean running;
        private boolean away;

        public void start() {
            running = true;
        }

        public void stop() {
            running = false;
            away = false;
        }

        public String resign() {
            Resignation outcome = leads() ? Resignation.RELEASED : Resignation.NOT_LEADING;
            away |= leads();
            return outcome.name();
        }

        public int works() {
            return leads() ? 1 : 0;
        }

        private boolean leads() {
            return running && !away;
        }
    }

    /** A lock within another one. */
    public static class Nested {
        private final OwnedLock outer = lock();
        private final OwnedLock inner = lock();
        private final NestedLock nested = new NestedLock(outer, inner);
        private final Work work = new Work();

        public Nested() {
            FORMER.getAndSet(outer::stop).run();
            nested.addListener(work);
        }

        @Operation
        public void start() throws Exception {
            nested.start();
            settle();
        }

        @Operation
        public void stop() throws Exception {
            await(nested.stop());
        }

        @Operation
        public void startOuter() throws Exception {
            outer.start();
            settle();
        }

        @Operation
        public void stopOuter() throws Exception {
            await(outer.stop());
        }

        @Operation
        public int works() {
            return work.running.get();
        }

        private void settle() throws Exception {
            afterTheLoop();
            await(this::isSettled, () -> outer.snapshot() + " and " + inner.snapshot() + ", works " + work.running);
        }

        private boolean isSettled() {
            LockSnapshot within = inner.snapshot();
            Role around = outer.snapshot().role();
            boolean wanted = around == Role.LEADER && nested.isRunning();
            return outer.isRunning() == (around == Role.LEADER)
                    && within.role() != Role.DRAINING
                    && wanted == (within.role() == Role.LEADER)
                    && (!wanted || work.begun(within));
        }
    }

    /** The sequential behaviour of a nested lock. */
    public static class NestedSpecification {
        private boolean wanted;
        private boolean outer;

        public void start() {
            wanted = true;
        }

        public void stop() {
            wanted = false;
        }

        public void startOuter() {
            outer = true;
        }

        public void stopOuter() {
            outer = false;
        }

        public int works() {
            return wanted && outer ? 1 : 0;
        }
    }

    @Test
    void workOfAStandAloneLockRunsExactlyWhileItLeads() {
        LinChecker.check(Lock.class, options(LockSpecification.class));
    }

    @Test
    void workOfANestedLockRunsExactlyWhileBothLead() {
        LinChecker.check(Nested.class, options(NestedSpecification.class));
    }
}
