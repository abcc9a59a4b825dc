package io.cle.loop.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SerialExecutorTest {

    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final SerialExecutor executor = new SerialExecutor(threads::add);
    private final List<String> done = new ArrayList<>();

    @Test
    void runsTasksInOrderOnOneThreadAtATime() {
        executor.execute(() -> done.add("first"));
        executor.execute(() -> done.add("second"));
        assertThat(threads).hasSize(1);

        threads.remove().run();
        assertThat(done).containsExactly("first", "second");
    }

    @Test
    void asksForAThreadAgainWhenItHasRunOutOfTasks() {
        executor.execute(() -> done.add("first"));
        threads.remove().run();
        executor.execute(() -> done.add("second"));

        assertThat(threads).hasSize(1);
    }

    @Test
    void goesOnAfterAnError() {
        executor.execute(() -> {
            throw new NoClassDefFoundError("Missing");
        });
        executor.execute(() -> done.add("second"));
        threads.remove().run();

        assertThat(done).containsExactly("second");
    }

    @Test
    void goesOnAfterAFailureThatCanNotBeLogged() {
        executor.execute(() -> {
            throw new IllegalStateException() {
                @Override
                public String getMessage() {
                    throw new IllegalStateException("the session is closed");
                }
            };
        });
        executor.execute(() -> done.add("second"));
        threads.remove().run();

        assertThat(done).containsExactly("second");
    }

    @Test
    void continuesATaskThatWaitsForLaterOnesOnAnotherThread() {
        executor.execute(() -> {
            boolean again = !done.isEmpty();
            done.add(again ? "continued" : "first");
            if (!again) {
                executor.continueElsewhere();
                assertThat(executor.runsHere()).isFalse();
                threads.remove().run();
                done.add("first ends");
            }
        });
        executor.execute(() -> done.add("second"));
        threads.remove().run();

        assertThat(done).containsExactly("first", "continued", "second", "first ends");
        executor.execute(() -> done.add("third"));
        threads.remove().run();
        assertThat(done).endsWith("third");
    }

    @Test
    void continuesNothingForACallerThatRunsNoTask() {
        executor.execute(() -> done.add("first"));
        executor.continueElsewhere();

        assertThat(threads).hasSize(1);
    }

    @Test
    void runsWhatFoundNoThreadWithTheNextTask() {
        boolean[] none = {true};
        SerialExecutor starved = new SerialExecutor(task -> {
            if (none[0]) {
                throw new RejectedExecutionException("no thread");
            }
            task.run();
        });
        assertThatThrownBy(() -> starved.execute(() -> done.add("first")))
                .isInstanceOf(RejectedExecutionException.class);

        none[0] = false;
        starved.execute(() -> done.add("second"));
        assertThat(done).containsExactly("first", "second");
    }
}
