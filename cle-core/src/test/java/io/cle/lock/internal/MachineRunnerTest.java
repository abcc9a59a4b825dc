package io.cle.lock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.cle.loop.internal.LeaseLines;
import io.cle.model.ObjectKey;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class MachineRunnerTest {

    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");

    private final VirtualLoop loop = new VirtualLoop();
    private final List<Long> woken = new ArrayList<>();
    private final MachineRunner machine = new MachineRunner(
            LEASE,
            loop,
            LockJournalTest.journal(
                    LEASE, loop.clock(), new LeaseLines(LoggerFactory.getLogger(LeaseLock.class), loop)),
            () -> woken.add(loop.clock().nanos()));

    @Test
    void wakesTheMachineAtTheInstantThatWasSetLast() {
        machine.wakeAt(3);
        machine.wakeAt(7);
        machine.wakeAt(5);

        loop.advance(Duration.ofNanos(10));

        assertThat(woken).containsExactly(5L);
    }

    @Test
    void anInstantThatIsSetAgainIsWaitedForOnce() {
        machine.wakeAt(5);
        machine.wakeAt(5);

        assertThat(loop.pending()).isEqualTo(1);
        loop.advance(Duration.ofNanos(10));
        assertThat(woken).containsExactly(5L);
    }

    @Test
    void anInstantMayBeSetAgainOnceItHasCome() {
        machine.wakeAt(5);
        loop.advance(Duration.ofNanos(5));

        machine.wakeAt(5);
        loop.runReady();

        assertThat(woken).containsExactly(5L, 5L);
    }

    @Test
    void noInstantEndsTheWait() {
        machine.wakeAt(5);
        machine.wakeAt(LockState.NEVER);

        assertThat(loop.pending()).isZero();
    }
}
