package io.cle.spring.onleader.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.cle.CoordinatedLeaseLock;
import io.cle.Resignation;
import io.cle.Role;
import io.cle.Timings;
import io.cle.lock.internal.Entropy;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.lock.internal.ProcessLeases;
import io.cle.loop.internal.Clock;
import io.cle.model.ObjectKey;
import io.cle.spring.lock.internal.ApplicationLease;
import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.strategy.stress.StressOptions;
import org.junit.jupiter.api.Test;

/**
 * Tests the work of {@code @OnLeader} with Lincheck: while threads concurrently start, stop and resign the lock, fail
 * the work and make guarded calls, the work runs exactly when it would after some sequential order of the same calls,
 * and never twice at once. The event loop, the callback threads and the workers are the real ones. Each call returns
 * after its effects, and its result is compared with {@link Specification}. {@code -Dcle.lincheck=100} runs a hundred
 * times as many scenarios.
 */
class LeaseWorkLincheckTests {

    private static final int TIMES = Integer.getInteger("cle.lincheck", Boolean.getBoolean("cle.thorough") ? 10 : 1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final LockThreads THREADS = LockThreads.create("lincheck");
    private static final Executor WORKERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    });
    private static final AtomicInteger LEASES = new AtomicInteger();

    /** Stops the lock of the previous invocation. */
    private static final AtomicReference<Runnable> FORMER = new AtomicReference<>(() -> {});

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Evaluates the supplier on the event loop, where no lock is in the middle of a transition. */
    private static <T> T betweenTransitions(Supplier<T> question) throws Exception {
        CompletableFuture<T> answer = new CompletableFuture<>();
        THREADS.loop().execute(() -> answer.complete(question.get()));
        return await(answer);
    }

    /** Runs until it is interrupted or has to fail, and slightly longer. */
    private static final class Work implements LeaderTask.Body {
        private final CoordinatedLeaseLock lock;
        private final AtomicInteger running = new AtomicInteger();
        private final Semaphore failures = new Semaphore(0);
        private volatile boolean ranTwiceAtOnce;
        private volatile boolean ranOn;

        Work(CoordinatedLeaseLock lock) {
            this.lock = lock;
        }

        @Override
        public void run(LeaderRun run) throws Exception {
            ranTwiceAtOnce |= running.incrementAndGet() > 1;
            try {
                failures.acquire();
                throw new ExpectedFailure();
            } finally {
                Thread.interrupted();
                LockSupport.parkNanos(200_000);
                ranOn |= isFree(lock);
                running.decrementAndGet();
            }
        }
    }

    /** Whether another process could lead. */
    private static boolean isFree(CoordinatedLeaseLock lock) {
        Role role = lock.snapshot().role();
        return role != Role.LEADER && role != Role.DRAINING;
    }

    /** Has no stack trace, because thousands would fill the log. */
    private static final class ExpectedFailure extends Exception {
        ExpectedFailure() {
            super("the work was to fail", null, false, false);
        }
    }

    /** Work under a standalone lock. */
    public static class Led {
        private final LeaseLock lock = new LeaseLock(
                new LockConfig(
                        new ObjectKey("shop", "lease" + LEASES.incrementAndGet()),
                        "me",
                        Timings.DEFAULT,
                        PATIENCE,
                        new LockConfig.Fallback(false, Duration.ZERO),
                        null,
                        null,
                        Duration.ofNanos(1_000)),
                new LockStores(new ProcessLeases(THREADS.loop()), null).always(),
                Entropy.system(),
                LockThreads.of(THREADS.loop(), THREADS.callbacks()));
        private final Work work = new Work(lock);
        private final LeaseWork led = new LeaseWork(
                new ApplicationLease(lock.name(), lock, null),
                new LeaseWork.Shared(
                        new OnLeaderProperties(Duration.ofMillis(1), Duration.ofMillis(2)), Clock.system(), WORKERS));
        /** Whether the process stays out of the election, because it has resigned. */
        private volatile boolean away;

        public Led() {
            led.addTask("work", true, work);
            led.addGuard("call");
            led.attach();
            FORMER.getAndSet(lock::stop).run();
        }

        @Operation
        public void start() throws Exception {
            lock.start();
            works();
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
        public void fail() {
            if (work.running.get() > 0) {
                work.failures.release();
            }
        }

        /** Makes a guarded call. */
        @Operation
        public String call() {
            LeaderRun run = led.enter("call");
            if (run == null) {
                return "refused";
            }
            run.enterThread(false);
            try {
                LockSupport.parkNanos(50_000);
                return isFree(lock) ? "went on while another process could lead" : "let in";
            } finally {
                run.leaveThread();
                led.leave(run);
            }
        }

        /** Returns whether the work runs, after it has settled and no term is being drained. */
        @Operation
        public boolean works() throws Exception {
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (true) {
                Role role = betweenTransitions(() -> lock.snapshot().role());
                boolean wanted = role == Role.LEADER;
                boolean settled = role == Role.LEADER || away || !lock.isRunning();
                if (settled && role != Role.DRAINING && work.running.get() == (wanted ? 1 : 0)) {
                    return wanted;
                }
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("doesn't settle: " + lock.snapshot() + ", works " + work.running);
                }
                LockSupport.parkNanos(50_000);
            }
        }

        @Operation
        public boolean ranTwiceAtOnce() {
            return work.ranTwiceAtOnce;
        }

        @Operation
        public boolean ranOnWhileAnotherProcessCouldLead() {
            return work.ranOn;
        }
    }

    /** The sequential behaviour of led work. */
    public static class Specification {
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
            String outcome = leads() ? "RELEASED" : "NOT_LEADING";
            away |= leads();
            return outcome;
        }

        public void fail() {}

        public String call() {
            return works() ? "let in" : "refused";
        }

        public boolean works() {
            return leads();
        }

        public boolean ranTwiceAtOnce() {
            return false;
        }

        public boolean ranOnWhileAnotherProcessCouldLead() {
            return false;
        }

        private boolean leads() {
            return running && !away;
        }
    }

    @Test
    void workRunsExactlyWhileItsLockLeadsAndNeverTwiceAtOnce() {
        LinChecker.check(
                Led.class,
                new StressOptions()
                        .iterations(4 * TIMES)
                        .invocationsPerIteration(100)
                        .threads(3)
                        .actorsPerThread(4)
                        .actorsBefore(2)
                        .actorsAfter(2)
                        .sequentialSpecification(Specification.class));
    }
}
