package io.cle.spring.lock.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.cle.RevokeReason;
import io.cle.spring.FakeLock;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.SettingsFixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class ExitWhenLostTests {

    private final FakeLock lock = new FakeLock("orders");
    private final List<Duration> exits = new CopyOnWriteArrayList<>();

    private void endTerm(String onLost, RevokeReason reason) {
        endTerm(SettingsFixture.settings(Map.of("cle.on-lost", onLost)).get(0), reason);
    }

    private void endTerm(LeaseSettings settings, RevokeReason reason) {
        Leases leases = new Leases(List.of(new ApplicationLease("orders", lock, settings)));
        new ExitWhenLost(leases, exits::add).customize("orders", lock);
        lock.grant();
        lock.revoke(reason).join();
    }

    @ParameterizedTest
    @EnumSource(names = "STOPPED", mode = EnumSource.Mode.EXCLUDE)
    void aTermThatEndsOtherwiseThanByStoppingEndsTheProcess(RevokeReason reason) {
        endTerm("exit", reason);
        assertThat(exits).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"LEASE_LOST, 4500", "RENEW_DEADLINE, 4500", "SUSPENDED, 4500", "END_OF_TERM, 27000", "RESIGNED, 27000"})
    void aProcessThatDoesNotEndIsHaltedBeforeOthersMayLead(RevokeReason reason, int milliseconds) {
        endTerm("exit", reason);
        assertThat(exits).containsExactly(Duration.ofMillis(milliseconds));
    }

    @Test
    void aStopDoesNotExit() {
        endTerm("exit", RevokeReason.STOPPED);
        assertThat(exits).isEmpty();
    }

    private static LeaseSettings shard() {
        return SettingsFixture.settings(Map.of("cle.on-lost", "exit", "cle.leases.items.shards", "2"))
                .get(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASE_LOST", "RENEW_DEADLINE", "SUSPENDED"})
    void aShardThatIsLostEndsTheProcess(RevokeReason reason) {
        endTerm(shard(), reason);
        assertThat(exits).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"END_OF_TERM", "RESIGNED", "STOPPED"})
    void aShardThatMovesDoesNotExit(RevokeReason reason) {
        endTerm(shard(), reason);
        assertThat(exits).isEmpty();
    }

    @Test
    void leasesThatDoNotAskForItDoNotExit() {
        endTerm("continue", RevokeReason.LEASE_LOST);
        assertThat(exits).isEmpty();
    }
}
