package io.cle.spring.lock.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.cle.lock.RevokeReason;
import io.cle.spring.FakeLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class ExitWhenLostTests {

    private final FakeLock lock = new FakeLock("orders");
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();

    private void endTerm(String leaseThatExits, RevokeReason reason) {
        new ExitWhenLost(leaseThatExits::equals, exit::complete).customize("orders", lock);
        lock.grant();
        lock.revoke(reason).join();
    }

    @ParameterizedTest
    @EnumSource(names = "STOPPED", mode = EnumSource.Mode.EXCLUDE)
    void aTermThatEndsOtherwiseThanByStoppingEndsTheProcess(RevokeReason reason) throws Exception {
        endTerm("orders", reason);
        assertThat(exit.get(10, TimeUnit.SECONDS)).isEqualTo(ExitWhenLost.EXIT_CODE);
    }

    @Test
    void aStopDoesNotExit() {
        endTerm("orders", RevokeReason.STOPPED);
        assertThat(exit).isNotDone();
    }

    @Test
    void leasesThatDoNotAskForItDoNotExit() {
        endTerm("reports", RevokeReason.LEASE_LOST);
        assertThat(exit).isNotDone();
    }
}
