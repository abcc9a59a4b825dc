package io.cle.runtime.internal.loop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.cle.runtime.internal.lock.VirtualLoop;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MachineTimerTest {

    private final VirtualLoop loop = new VirtualLoop();
    private final List<Long> woken = new ArrayList<>();
    private final MachineTimer timer =
            new MachineTimer(loop, () -> woken.add(loop.clock().nanos()));

    @Test
    void wakesTheMachineAtTheInstantThatWasSetLast() {
        timer.wakeAt(3);
        timer.wakeAt(7);
        timer.wakeAt(5);

        loop.advance(Duration.ofNanos(10));

        assertThat(woken).containsExactly(5L);
    }

    @Test
    void anInstantThatIsSetAgainIsWaitedForOnce() {
        timer.wakeAt(5);
        timer.wakeAt(5);

        assertThat(loop.pending()).isEqualTo(1);
        loop.advance(Duration.ofNanos(10));
        assertThat(woken).containsExactly(5L);
    }

    @Test
    void anInstantMayBeSetAgainOnceItHasCome() {
        timer.wakeAt(5);
        loop.advance(Duration.ofNanos(5));

        timer.wakeAt(5);
        loop.runReady();

        assertThat(woken).containsExactly(5L, 5L);
    }

    @Test
    void noInstantEndsTheWait() {
        timer.wakeAt(5);
        timer.wakeAt(MachineTimer.NEVER);

        assertThat(loop.pending()).isZero();
    }
}
