package io.cle.loop.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.cle.lock.internal.VirtualLoop;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AlarmTest {

    private final VirtualLoop loop = new VirtualLoop();
    private final List<Long> due = new ArrayList<>();
    private final EventLoop.Alarm alarm =
            new EventLoop.Alarm(loop, () -> due.add(loop.clock().nanos()));

    @Test
    void theTaskIsDueAtTheInstantThatWasSetLast() {
        alarm.set(3);
        alarm.set(7);
        alarm.set(5);

        loop.advance(Duration.ofNanos(10));

        assertThat(due).containsExactly(5L);
    }

    @Test
    void anInstantThatIsSetAgainIsWaitedForOnce() {
        alarm.set(5);
        alarm.set(5);

        assertThat(loop.pending()).isEqualTo(1);
        loop.advance(Duration.ofNanos(10));
        assertThat(due).containsExactly(5L);
    }

    @Test
    void anInstantMayBeSetAgainOnceItHasCome() {
        alarm.set(5);
        loop.advance(Duration.ofNanos(5));

        alarm.set(5);
        loop.runReady();

        assertThat(due).containsExactly(5L, 5L);
    }

    @Test
    void neverEndsTheWait() {
        alarm.set(5);
        alarm.set(Long.MAX_VALUE);

        assertThat(loop.pending()).isZero();
    }
}
