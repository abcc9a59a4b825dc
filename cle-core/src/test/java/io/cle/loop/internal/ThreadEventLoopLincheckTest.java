package io.cle.loop.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.LincheckAssertionError;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.strategy.stress.StressOptions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Checks the event loop with Lincheck: whichever threads deliver, execute and schedule, tasks run one at a time, each
 * sees the writes of those before it, and the order is one that a single thread could have had.
 * {@code -Dcle.lincheck=100} runs a hundred times as many scenarios.
 */
class ThreadEventLoopLincheckTest {

    private static final int TIMES = Integer.getInteger("cle.lincheck", Boolean.getBoolean("cle.thorough") ? 10 : 1);

    private static StressOptions options() {
        return new StressOptions()
                .iterations(2 * TIMES)
                .invocationsPerIteration(50)
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(0)
                .actorsAfter(0);
    }

    /** Tasks count without any synchronization of their own. */
    private static final class Counter {
        private int count;

        /** Lets another thread run, if the scheduler allows it. */
        private static void pause() {
            LockSupport.parkNanos(100_000);
        }

        int next(Executor loop) throws Exception {
            CompletableFuture<Integer> next = new CompletableFuture<>();
            loop.execute(() -> {
                int seen = count;
                pause();
                count = seen + 1;
                next.complete(count);
            });
            return next.get(30, TimeUnit.SECONDS);
        }
    }

    /** The real loop, with both ways to submit a task. */
    public static class Loop {
        private final ThreadEventLoop loop = new ThreadEventLoop("lincheck", Clock.system());
        private final Counter counter = new Counter();

        @Operation
        public int deliver() throws Exception {
            return counter.next(loop::deliver);
        }

        @Operation
        public int execute() throws Exception {
            return counter.next(loop);
        }
    }

    /** A loop that runs delivered tasks at once, busy or not. */
    public static class NoLoop {
        private final Counter counter = new Counter();

        @Operation
        public int deliver() throws Exception {
            return counter.next(Runnable::run);
        }
    }

    @Test
    void tasksOfAllThreadsRunOneAtATimeAndSeeEachOther() {
        LinChecker.check(Loop.class, options());
    }

    @Test
    void tasksThatRunAtOnceAreFound() {
        StressOptions many = options().iterations(5).minimizeFailedScenario(false);
        assertThatThrownBy(() -> LinChecker.check(NoLoop.class, many)).isInstanceOf(LincheckAssertionError.class);
    }
}
