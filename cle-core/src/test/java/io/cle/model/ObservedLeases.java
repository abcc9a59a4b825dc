package io.cle.model;

import java.time.Duration;
import java.time.Instant;

import static org.assertj.core.api.Assertions.assertThat;

/** Leases as all who take part write them, and what one process makes of having seen them. Times are seconds of its clock. */
final class ObservedLeases {

    static final ObjectKey KEY = new ObjectKey("shop", "orders");
    static final Duration DURATION = Duration.ofSeconds(15);

    // ---- who writes ----------------------------------------------------------------------------------------------

    /** One of ours leads: it has acquired the lease at a second of its own clock, and renewed it at another. */
    static Lease ours(String holder, int acquired, int renewed) {
        return record(holder, acquired, renewed)
                .term(TermAnnotation.begun(holder, "n1", time(acquired), DURATION))
                .electedBy("coordinated-election-controller")
                .build();
    }

    /** Our coordinator, or a holder of ours that hands over, has named a holder. */
    static Lease grant(String holder, int granted) {
        return record(holder, granted, granted)
                .leaseDuration(Duration.ofSeconds(5))
                .term(TermAnnotation.granted(holder, time(granted)))
                .electedBy("coordinated-election-controller")
                .build();
    }

    /** One of ours has released the lease. */
    static Lease released(int time) {
        return record(null, time, time).leaseDuration(Duration.ofSeconds(1)).build();
    }

    /** client-go takes or renews a lease: it changes the fields that it knows, and leaves the annotations as they are. */
    static Lease plain(Lease before, String holder, int acquired, int renewed) {
        return before.toBuilder()
                .holder(holder)
                .leaseDuration(DURATION)
                .acquireTime(time(acquired))
                .renewTime(time(renewed))
                .build();
    }

    static Lease plain(String holder, int acquired, int renewed) {
        return plain(record(null, 0, 0).build(), holder, acquired, renewed);
    }

    /** client-go releases a lease. */
    static Lease plainRelease(Lease before, int time) {
        return plain(before, "", time, time).toBuilder()
                .leaseDuration(Duration.ofSeconds(1))
                .build();
    }

    /** kube-apiserver grants a lease: it names the holder, takes the acquire time away and leaves the annotations as they are. */
    static Lease kubeApiserverGrant(Lease before, String holder, int time) {
        return before.toBuilder()
                .holder(holder)
                .leaseDuration(Duration.ofSeconds(5))
                .acquireTime(null)
                .renewTime(time(time))
                .build();
    }

    /** An administrator edits the holder and nothing else. */
    static Lease edit(Lease before, String holder) {
        return before.toBuilder().holder(holder).build();
    }

    static Lease.Builder record(String holder, int acquired, int renewed) {
        return Lease.builder(KEY)
                .holder(holder)
                .leaseDuration(DURATION)
                .acquireTime(time(acquired))
                .renewTime(time(renewed));
    }

    static Instant time(int second) {
        return Instant.EPOCH.plusSeconds(second);
    }

    static Moment at(int second) {
        return new Moment(Duration.ofSeconds(second).toNanos(), Instant.parse("2026-01-01T00:00:00Z"));
    }

    /** What a standby knows that has seen a record at second 0, and then, as the next event of its watch, others. */
    static LeaseObservation known(Lease lease) {
        return LeaseObservation.first(lease, at(0));
    }

    static void assertLeaseExpiry(LeaseObservation observation, int second) {
        assertThat(Duration.ofNanos(observation.leaseExpiry())).as("held until").isEqualTo(Duration.ofSeconds(second));
    }

    static void assertAcquirableAt(LeaseObservation observation, int second) {
        assertThat(Duration.ofNanos(observation.acquirableAt()))
                .as("acquirable at")
                .isEqualTo(Duration.ofSeconds(second));
    }
}
