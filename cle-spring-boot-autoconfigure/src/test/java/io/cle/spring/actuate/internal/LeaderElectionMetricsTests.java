package io.cle.spring.actuate.internal;

import java.util.concurrent.TimeUnit;

import io.cle.RevokeReason;
import io.cle.spring.FakeLock;
import io.cle.spring.lock.internal.Leases;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

class LeaderElectionMetricsTests {

    private final FakeLock lock = new FakeLock("orders");
    private final Leases leases = FakeLock.leases(lock);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @BeforeEach
    void bind() {
        new LeaderElectionMetrics(leases).bindTo(registry);
    }

    private double masterStatus() {
        return registry.get("leader.election.master.status")
                .tag("name", "orders")
                .gauge()
                .value();
    }

    private double revocations(String reason) {
        return registry.get("cle.revocations")
                .tags("lease", "orders", "reason", reason)
                .counter()
                .count();
    }

    @Test
    void theMasterStatusIsClientGos() {
        assertThat(masterStatus()).isZero();
        lock.grant();
        assertThat(masterStatus()).isEqualTo(1);
        assertThat(registry.get("cle.validity").timeGauge().value(TimeUnit.SECONDS))
                .isEqualTo(7.5);
    }

    @Test
    void termsAndTheirEndsAreCounted() {
        lock.grant();
        lock.revoke(RevokeReason.END_OF_TERM).join();
        lock.changeLeader("orders-b");
        assertThat(registry.get("cle.terms").tag("lease", "orders").counter().count())
                .isEqualTo(1);
        assertThat(revocations("end_of_term")).isEqualTo(1);
        assertThat(revocations("lease_lost")).isZero();
        assertThat(registry.get("cle.leader.changes").counter().count()).isEqualTo(1);
        assertThat(registry.get("cle.transitions").gauge().value()).isEqualTo(4);
    }

    @Test
    void contactIsMissedByACandidateAlone() {
        lock.contact(false, FakeLock.SINCE, "no answer yet");
        assertThat(registry.get("cle.api.contact").gauge().value())
                .as("of a lock that asks nothing")
                .isEqualTo(1);
        lock.start();
        assertThat(registry.get("cle.api.contact").gauge().value()).isZero();
        lock.contact(true, FakeLock.SINCE, null);
        assertThat(registry.get("cle.api.contact").gauge().value()).isEqualTo(1);
    }

    @Test
    void aTermThatWasRacedForIsUncoordinatedUntilItEnds() {
        lock.grant();
        assertThat(registry.get("cle.uncoordinated").gauge().value()).isZero();
        lock.electedBy("candidate-fallback");
        assertThat(registry.get("cle.uncoordinated").gauge().value()).isEqualTo(1);
        lock.revoke(RevokeReason.RESIGNED).join();
        assertThat(registry.get("cle.uncoordinated").gauge().value()).isZero();
    }

    @Test
    void renewalsDrainsAndHandOversAreThoseOfTheLock() {
        assertThat(registry.get("cle.renewals").functionTimer().count()).isEqualTo(3);
        assertThat(registry.get("cle.renewals").functionTimer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(12);
        assertThat(registry.get("cle.renewal.failures").functionCounter().count())
                .isEqualTo(1);
        assertThat(registry.get("cle.drains").functionTimer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(20);
        assertThat(registry.get("cle.handovers").functionTimer().mean(TimeUnit.MILLISECONDS))
                .isEqualTo(25);
    }

    @Test
    void failuresOfListenersAreThoseOfTheLease() {
        leases.main().listenerFailed();
        leases.main().listenerFailed();
        assertThat(registry.get("cle.listener.failures")
                        .tag("lease", "orders")
                        .functionCounter()
                        .count())
                .isEqualTo(2);
    }

    @ParameterizedTest
    // Those of led work are there if an application has some; OnLeaderFailureTests shows them.
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"WORK_FAILURES", "WORK_OVERLAPS"})
    void everyDocumentedMeterIsThereFromTheStart(CleMeter meter) {
        assertThat(registry.get(meter.id()).meters()).isNotEmpty();
    }
}
