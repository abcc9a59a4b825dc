package io.cle.spring.lock.internal;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.cle.RevokeReason;
import io.cle.spring.FakeLock;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.SettingsFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class ExitWhenLostTests {

    private final FakeLock lock = new FakeLock("orders");
    private final CompletableFuture<Integer> exit = new CompletableFuture<>();

    private void endTerm(String onLost, RevokeReason reason) throws InterruptedException {
        endTerm(SettingsFixture.settings(Map.of("cle.on-lost", onLost)).get(0), reason);
    }

    private void endTerm(LeaseSettings settings, RevokeReason reason) throws InterruptedException {
        Leases leases = new Leases(List.of(Lease.configured("orders", lock, settings)));
        new ExitWhenLost(leases, exit::complete).customize("orders", lock);
        lock.grant();
        lock.revoke(reason).join();
        awaitExit();
    }

    /** Once the listeners have been called, an exit has been called on a thread of its own, or is about to be. */
    private static void awaitExit() throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("cle-exit")) {
                thread.join(10_000);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = "STOPPED", mode = EnumSource.Mode.EXCLUDE)
    void aTermThatEndsOtherwiseThanByStoppingEndsTheProcess(RevokeReason reason) throws InterruptedException {
        endTerm("exit", reason);
        assertThat(exit).isCompletedWithValue(ExitWhenLost.EXIT_CODE);
    }

    @Test
    void aStopDoesNotExit() throws InterruptedException {
        endTerm("exit", RevokeReason.STOPPED);
        assertThat(exit).isNotDone();
    }

    private static LeaseSettings shard() {
        return SettingsFixture.settings(Map.of("cle.on-lost", "exit", "cle.leases.items.shards", "2"))
                .get(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASE_LOST", "RENEW_DEADLINE", "SUSPENDED"})
    void aShardThatIsLostEndsTheProcess(RevokeReason reason) throws InterruptedException {
        endTerm(shard(), reason);
        assertThat(exit).isCompletedWithValue(ExitWhenLost.EXIT_CODE);
    }

    @ParameterizedTest
    @EnumSource(names = {"END_OF_TERM", "RESIGNED", "STOPPED"})
    void aShardThatMovesDoesNotExit(RevokeReason reason) throws InterruptedException {
        endTerm(shard(), reason);
        assertThat(exit).isNotDone();
    }

    @Test
    void leasesThatDoNotAskForItDoNotExit() throws InterruptedException {
        endTerm("continue", RevokeReason.LEASE_LOST);
        assertThat(exit).isNotDone();
    }
}
