package io.cle.model.internal;

import java.time.Duration;
import java.time.Instant;

import io.cle.model.ObjectKey;
import io.cle.model.internal.TermAnnotation.Ended;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Leases as each participant writes them, and what one process concludes from observing them. Times are seconds of its clock. */
final class ObservedLeases {

    static final ObjectKey KEY = new ObjectKey("shop", "orders");
    static final Duration DURATION = Duration.ofSeconds(15);

    /** What a grant or a release ends: the record seen before, unless the test sets another. */
    static final Ended WHAT_WAS_THERE = new Ended(null, "what was there");

    private static final LeaseObservation.Observer STANDBY = new LeaseObservation.Observer(DURATION, false);
    private static final LeaseObservation.Observer NAMED = new LeaseObservation.Observer(DURATION, true);

    // ---- writers -------------------------------------------------------------------------------------------------

    /** One of our holders has acquired the lease at a second of its own clock, and renewed it at another. */
    static Lease ours(String holder, int acquired, int renewed) {
        return record(holder, acquired, renewed)
                .term(TermAnnotation.begun("n1", holder + acquired, DURATION, holder, time(acquired), Ended.NOTHING)
                        .withWrite("w" + renewed))
                .electedBy("coordinated-election-controller")
                .build();
    }

    /** Our coordinator, or one of our holders that hands over, has named a holder. */
    static Lease grant(String holder, int granted) {
        return record(holder, granted, granted)
                .leaseDuration(Duration.ofSeconds(5))
                .term(TermAnnotation.granted(holder, time(granted), WHAT_WAS_THERE))
                .electedBy("coordinated-election-controller")
                .build();
    }

    /** One of our holders has released the lease. */
    static Lease released(int time) {
        return record(null, time, time)
                .leaseDuration(Duration.ofSeconds(1))
                .term(TermAnnotation.released(WHAT_WAS_THERE))
                .build();
    }

    /** client-go acquires or renews a lease: it changes the fields that it knows, and leaves the annotations unchanged. */
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

    /** kube-apiserver grants a lease: it names the holder, removes the acquire time and leaves the annotations unchanged. */
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

    /** Returns what a standby knows after seeing a record at second 0. */
    static Sight known(Lease lease) {
        return Sight.first(lease, at(0));
    }

    static void assertLeaseExpiry(Sight sight, int second) {
        assertThat(Duration.ofNanos(sight.standby().freeAt())).as("free at").isEqualTo(Duration.ofSeconds(second));
    }

    static void assertAcquirableAt(Sight sight, int second) {
        assertThat(Duration.ofNanos(sight.named().busyUntil()))
                .as("the named holder may begin at")
                .isEqualTo(Duration.ofSeconds(second));
    }

    /**
     * What one process knows of the lease.
     *
     * @param standby its knowledge if it isn't named
     * @param named its knowledge if the last record grants the lease to it
     */
    record Sight(LeaseObservation standby, LeaseObservation named) {

        static Sight first(@Nullable Lease lease, Moment now) {
            Lease seen = lease == null ? null : stored(lease, 1, null);
            return new Sight(LeaseObservation.first(seen, now, STANDBY), LeaseObservation.first(seen, now, of(seen)));
        }

        Sight seen(@Nullable Lease next, Moment now, boolean contiguous) {
            Lease before = standby.lease();
            Lease seen = next == null ? null : stored(next, now.nanos() + 2, before);
            return new Sight(
                    standby.seen(seen, now, contiguous, STANDBY), standby.seen(seen, now, contiguous, of(seen)));
        }

        /** Sees the same record in the same version again, in a list. */
        Sight seenAgain(Moment now) {
            return new Sight(standby.seen(lease(), now, false, STANDBY), named.seen(lease(), now, false, of(lease())));
        }

        Sight late(Lease older, Moment now) {
            return new Sight(standby.late(older, now, STANDBY), named.late(older, now, NAMED));
        }

        Sight missed(Moment now) {
            return new Sight(standby.missed(now, STANDBY), standby.missed(now, NAMED));
        }

        private static LeaseObservation.Observer of(@Nullable Lease lease) {
            return lease == null || lease.confirmed() ? STANDBY : NAMED;
        }

        /** Returns the lease in a new version, citing what it ends, unless the test has set either. */
        private static Lease stored(Lease lease, long version, @Nullable Lease before) {
            TermAnnotation term = lease.term();
            boolean same = before != null
                    && before.toBuilder()
                            .resourceVersion(null)
                            .build()
                            .equals(lease.toBuilder().resourceVersion(null).build());
            Lease.Builder stored = lease.toBuilder();
            if (lease.resourceVersion() == null) {
                stored.resourceVersion(same ? before.resourceVersion() : String.valueOf(version));
            }
            if (term != null && term.ended().equals(WHAT_WAS_THERE)) {
                Ended ended = before == null ? Ended.NOTHING : before.endedWhenReplaced();
                stored.term(
                        term.holder() == null
                                ? TermAnnotation.released(ended)
                                : TermAnnotation.granted(term.holder(), term.acquireTime(), ended));
            }
            return stored.build();
        }

        boolean free(Moment now) {
            return standby.free(now);
        }

        long seenAt() {
            return standby.seenAt();
        }

        long termEnd() {
            return standby.busyUntil();
        }

        @Nullable
        Lease lease() {
            return standby.lease();
        }
    }
}
