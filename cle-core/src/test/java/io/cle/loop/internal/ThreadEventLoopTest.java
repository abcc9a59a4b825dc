package io.cle.loop.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class ThreadEventLoopTest {

    private final ScheduledThreadPoolExecutor thread =
            new ScheduledThreadPoolExecutor(1, task -> ThreadEventLoop.daemon(task, "loop"));

    @RegisterExtension
    final LoggedLines log = new LoggedLines(ThreadEventLoop.class);

    /** Uses a stopped clock, so that a thread's turn never ends, however slow the machine is. */
    private final ThreadEventLoop loop = new ThreadEventLoop(thread, clock(() -> 0L));

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void anExecutedTaskRunsOnTheLoopsOwnThread() {
        assertThat(CompletableFuture.supplyAsync(ThreadEventLoopTest::here, loop)
                        .join())
                .isEqualTo("loop");
    }

    @Nested
    class DeliveredTask {

        @Test
        void deliveredTaskRunsAtOnceOnTheCallersThreadIfTheLoopIsIdle() {
            List<String> threads = new ArrayList<>();

            loop.deliver(() -> threads.add(here()));

            assertThat(threads).containsExactly(here());
        }

        @Test
        void deliveredTaskRunsAfterwardsIfTheLoopIsBusyAndTheCallerDoesNotWait() throws InterruptedException {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            CompletableFuture<String> delivered = new CompletableFuture<>();
            loop.execute(() -> {
                begun.countDown();
                await(go);
            });
            begun.await();

            loop.deliver(() -> delivered.complete(here()));

            assertThat(delivered).isNotDone();
            go.countDown();
            assertThat(delivered.join()).isEqualTo("loop");
        }

        @Test
        void deliveredTaskRunsAfterTheTaskThatDeliversIt() {
            List<String> done = new ArrayList<>();

            loop.deliver(() -> {
                loop.deliver(() -> done.add("second"));
                loop.execute(() -> done.add("third"));
                done.add("first");
            });

            assertThat(done).containsExactly("first", "second", "third");
        }
    }

    /** Each task submits the next one, like changes of leases that follow each other. Each read of the clock takes a millisecond. */
    @Nested
    class TasksWithoutEnd {

        private static final int MANY = 10_000;

        private final AtomicInteger done = new AtomicInteger();
        private final AtomicBoolean enough = new AtomicBoolean();
        private final AtomicLong millis = new AtomicLong();

        private final ThreadEventLoop loop =
                new ThreadEventLoop(thread, clock(() -> TimeUnit.MILLISECONDS.toNanos(millis.incrementAndGet())));

        private void endless() {
            if (done.incrementAndGet() < MANY && !enough.get()) {
                loop.deliver(this::endless);
            }
        }

        @Test
        void aThreadThatDeliversGoesBackToItsOwnWorkAndTheLoopsThreadGoesOn() {
            CompletableFuture<String> last = new CompletableFuture<>();

            loop.deliver(this::endless);
            int ofThisThread = done.get();
            enough.set(true);
            loop.deliver(() -> last.complete(here()));

            assertThat(ofThisThread).isLessThan(MANY);
            assertThat(last.join()).isNotNull();
        }

        @Test
        void aTimerThatIsDueRunsAmongThem() {
            CompletableFuture<Integer> due = new CompletableFuture<>();
            loop.execute(() -> {
                loop.schedule(Duration.ZERO, () -> {
                    due.complete(done.get());
                    enough.set(true);
                });
                endless();
            });

            assertThat(due.join()).isLessThan(MANY);
        }
    }

    @Nested
    class TaskThatFails {

        @Test
        void taskThatFailsIsReportedAndTheLoopGoesOn() {
            OutOfMemoryError error = new OutOfMemoryError("thrown by the test");
            loop.execute(() -> {
                throw error;
            });

            assertThat(CompletableFuture.supplyAsync(ThreadEventLoopTest::here, loop)
                            .join())
                    .isEqualTo("loop");
            assertThat(log.failures()).containsExactly(error);
        }

        @Test
        void taskThatFailsDoesNotEndTheLoopIfItCanNotBeReported() {
            log.failWith(new OutOfMemoryError("thrown by the test"));
            loop.execute(() -> {
                throw new IllegalStateException("thrown by the test");
            });
            loop.deliver(() -> {
                throw new IllegalStateException("thrown by the test");
            });

            assertThat(CompletableFuture.supplyAsync(() -> "goes on", loop)
                            .orTimeout(20, TimeUnit.SECONDS)
                            .join())
                    .isEqualTo("goes on");
        }

        @Test
        void taskThatFailsIsReportedAndTheLoopGoesOnIfItWasDelivered() {
            IllegalStateException bug = new IllegalStateException("thrown by the test");
            NoClassDefFoundError missing = new NoClassDefFoundError("thrown by the test");
            loop.deliver(() -> {
                throw bug;
            });
            loop.deliver(() -> {
                throw missing;
            });

            assertThat(CompletableFuture.supplyAsync(() -> "goes on", loop).join())
                    .isEqualTo("goes on");
            assertThat(log.failures()).containsExactly(bug, missing);
        }
    }

    @Nested
    class Timer {

        @Test
        void theTimerRunsOnTheLoopsOwnThread() {
            CompletableFuture<String> due = new CompletableFuture<>();

            loop.schedule(Duration.ZERO, () -> due.complete(here()));

            assertThat(due.join()).isEqualTo("loop");
        }

        @Test
        void theTimerDoesNotRunIfATaskCancelsItThoughItIsDueMeanwhile() {
            List<String> done = new ArrayList<>();
            loop.deliver(() -> {
                EventLoop.Timer timer = loop.schedule(Duration.ZERO, () -> done.add("cancelled"));
                // The loop's own thread runs this after it has queued what is due.
                CompletableFuture.runAsync(() -> {}, thread).join();
                timer.cancel();
            });

            assertThat(CompletableFuture.supplyAsync(() -> done, loop).join()).isEmpty();
        }
    }

    @Test
    void neverTwoTasksRunAtOnceHoweverTheyCome() throws Exception {
        int[] count = new int[1];
        int each = 2_000;
        ExecutorService callers = Executors.newFixedThreadPool(3);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int caller = 0; caller < 3; caller++) {
                boolean delivers = caller > 0;
                all.add(callers.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        if (delivers) {
                            loop.deliver(() -> count[0]++);
                        } else {
                            loop.execute(() -> count[0]++);
                        }
                    }
                }));
            }
            for (Future<?> caller : all) {
                caller.get();
            }
        } finally {
            callers.shutdownNow();
        }

        assertThat(CompletableFuture.supplyAsync(() -> count[0], loop).join()).isEqualTo(3 * each);
    }

    @Test
    void nothingRunsOnceTheLoopIsClosed() throws InterruptedException {
        List<String> done = new ArrayList<>();
        loop.close();

        loop.deliver(() -> done.add("delivered"));
        loop.execute(() -> done.add("executed"));
        loop.schedule(Duration.ZERO, () -> done.add("due"));

        assertThat(thread.awaitTermination(30, TimeUnit.SECONDS))
                .as("the loop's thread has ended, so that no task can run any more")
                .isTrue();
        assertThat(done).isEmpty();
    }

    private static Clock clock(LongSupplier nanos) {
        return new Clock() {
            @Override
            public long nanos() {
                return nanos.getAsLong();
            }

            @Override
            public Instant wall() {
                return Instant.EPOCH;
            }
        };
    }

    private static String here() {
        return Thread.currentThread().getName();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
