package io.cle.spring.actuate.internal;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.cle.RevokeReason;
import io.cle.spring.FakeLock;
import io.cle.spring.lock.internal.ApplicationLease;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.WorkLog;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class LeaderElectionMetricsTests {

    private final FakeLock lock = new FakeLock("orders");
    private final Leases leases = FakeLock.leases(lock);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @BeforeEach
    void bind() {
        bind(leases, registry);
    }

    private static void bind(Leases leases, SimpleMeterRegistry registry) {
        LeaderElectionMetrics metrics = new LeaderElectionMetrics(leases);
        metrics.bindTo(registry);
        leases.all().forEach(lease -> metrics.customize(lease.name(), lease.lock()));
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
    void renewalsAndHandOversAreThoseOfTheLock() {
        assertThat(registry.get("cle.renewals").functionTimer().count()).isEqualTo(3);
        assertThat(registry.get("cle.renewals").functionTimer().totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(12);
        assertThat(registry.get("cle.renewal.failures").functionCounter().count())
                .isEqualTo(1);
        assertThat(registry.get("cle.handovers").functionTimer().mean(TimeUnit.MILLISECONDS))
                .isEqualTo(25);
    }

    /** Meters of led work and of shards exist only if an application has them; other tests cover these. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "leader.election.master.status",
                "cle.terms",
                "cle.revocations",
                "cle.transitions",
                "cle.validity",
                "cle.renewals",
                "cle.renewal.failures",
                "cle.handovers",
                "cle.leader.changes",
                "cle.api.contact",
                "cle.uncoordinated"
            })
    void everyDocumentedMeterIsThereFromTheStart(String meter) {
        assertThat(registry.get(meter).meters()).isNotEmpty();
    }

    @Test
    void everyMeterSaysWhichLeaseAndProcessItIsAboutInTagsThatNoServiceDiscoverySets() {
        Leases working = FakeLock.leases(new FakeLock("orders"));
        working.main().addWork(List.of(new WorkLog("worker.work")));
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        bind(working, registry);

        assertThat(registry.getMeters()).isNotEmpty().allSatisfy(meter -> {
            assertThat(meter.getId().getTag("lease_namespace")).isEqualTo("shop");
            assertThat(meter.getId().getTag("identity")).isEqualTo("orders-a");
            assertThat(meter.getId().getTags())
                    .extracting(Tag::getKey)
                    .doesNotContain("namespace", "pod", "instance", "job", "service", "container", "node");
        });
    }

    @Nested
    class OfShards {

        private final SimpleMeterRegistry ofShards = new SimpleMeterRegistry();
        private List<FakeLock> locks = List.of();
        private List<ApplicationLease> shards = List.of();

        @BeforeEach
        void bind() {
            of(4, ofShards);
        }

        private void of(int count, SimpleMeterRegistry to) {
            locks = IntStream.range(0, count)
                    .mapToObj(i -> new FakeLock("orders-" + count + "-" + i))
                    .toList();
            shards = FakeLock.shards("orders", locks);
            LeaderElectionMetricsTests.bind(new Leases(shards), to);
        }

        private double gauge(String name) {
            return ofShards.get(name).tag("lease", "orders").gauge().value();
        }

        @Test
        void shardsThatAreHeldAreCounted() {
            assertThat(gauge("cle.shards")).isEqualTo(4);
            assertThat(gauge("cle.shards.held")).isZero();
            locks.get(1).grant();
            locks.get(3).grant();
            assertThat(gauge("cle.shards.held")).isEqualTo(2);
            assertThat(ofShards.find("leader.election.master.status").meters()).isEmpty();
        }

        @Test
        void shardsAreCountedTogether() {
            locks.get(1).grant();
            locks.get(3).grant();
            locks.get(3).revoke(RevokeReason.END_OF_TERM).join();

            assertThat(ofShards.get("cle.terms")
                            .tag("lease", "orders")
                            .counter()
                            .count())
                    .isEqualTo(2);
            assertThat(ofShards.get("cle.revocations")
                            .tags("lease", "orders", "reason", "end_of_term")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(ofShards.get("cle.renewals").functionTimer().count()).isEqualTo(4 * 3);
            assertThat(ofShards.get("cle.renewals").functionTimer().totalTime(TimeUnit.MILLISECONDS))
                    .isEqualTo(4 * 12);
            assertThat(gauge("cle.transitions")).isEqualTo(4 * 4);
            assertThat(ofShards.get("cle.validity").timeGauge().value(TimeUnit.SECONDS))
                    .isEqualTo(7.5);
        }

        @Test
        void shardsAreOutOfContactIfOneIs() {
            locks.forEach(FakeLock::start);
            assertThat(gauge("cle.api.contact")).isEqualTo(1);
            locks.get(2).contact(false, FakeLock.SINCE, "no answer yet");
            assertThat(gauge("cle.api.contact")).isZero();
        }

        @Test
        void shardsHaveTheirWorkCountedTogether() {
            for (int i = 0; i < 2; i++) {
                WorkLog log = new WorkLog("worker.work");
                log.failed(new IllegalStateException("on purpose"), WorkLog.State.FAILED);
                shards.get(i).addWork(List.of(log));
            }
            SimpleMeterRegistry ofShards = new SimpleMeterRegistry();
            LeaderElectionMetricsTests.bind(new Leases(shards), ofShards);

            assertThat(ofShards.find("cle.work.failures").meters()).hasSize(1);
            assertThat(ofShards.get("cle.work.failures")
                            .tags("lease", "orders", "work", "worker.work")
                            .functionCounter()
                            .count())
                    .isEqualTo(2);
        }

        @Test
        void shardsAddNoSeriesHoweverManyThereAre() {
            SimpleMeterRegistry ofMany = new SimpleMeterRegistry();
            of(64, ofMany);

            assertThat(ofMany.getMeters()).hasSameSizeAs(ofShards.getMeters());
            // cle.shards and cle.shards.held replace the master status.
            assertThat(ofMany.getMeters()).hasSize(registry.getMeters().size() + 1);
        }
    }
}
