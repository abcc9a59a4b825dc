package io.cle.test.simulation.internal.process;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class VirtualTimeTest {

    private final VirtualTime time = new VirtualTime();
    private final List<String> done = new ArrayList<>();

    private VirtualTime.Due after(long nanos, String what) {
        return time.after(nanos, () -> done.add(what + "@" + time.now()));
    }

    private void runUntil(long instant) {
        boolean more = true;
        while (more) {
            more = time.advance(instant);
        }
    }

    @Test
    void runsTasksOfOneInstantInTheOrderOfScheduling() {
        after(10, "first");
        time.after(10, () -> {
            done.add("second@" + time.now());
            after(0, "asked for later, at once");
        });
        after(10, "third");
        after(5, "earlier");

        runUntil(20);

        assertThat(done)
                .containsExactly("earlier@5", "first@10", "second@10", "third@10", "asked for later, at once@10");
        assertThat(time.now()).isEqualTo(20);
    }

    @Test
    void runsNoTaskBeforeItIsDue() {
        after(0, "at once");
        after(11, "too late");

        runUntil(10);

        assertThat(done).containsExactly("at once@0");
    }

    @Test
    void runsAllButCancelledTasks() {
        List<VirtualTime.Due> cancelled = new ArrayList<>();
        for (int i = 1; i <= 500; i++) {
            VirtualTime.Due due = after(i, "task");
            if (i % 10 != 0) {
                cancelled.add(due);
            }
        }
        VirtualTime.Due atOnce = after(0, "at once");
        cancelled.forEach(VirtualTime.Due::cancel);
        cancelled.forEach(VirtualTime.Due::cancel);
        atOnce.cancel();

        runUntil(500);

        assertThat(done).hasSize(50).startsWith("task@10", "task@20").endsWith("task@500");
    }
}
