package io.cle.model.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A claim that keeps a lease from all other processes for long although its record isn't renewed: it may be a mistake, which an administrator can end
 * ({@code safety.md#administrators-line}). Immutable; instants are monotonic nanoseconds.
 *
 * @param observation what is known of the lease
 * @param leaseDuration the observer's own
 */
public record StandingClaim(LeaseObservation observation, Duration leaseDuration) {

    /** An instant that never comes. */
    private static final long NEVER = Long.MAX_VALUE;

    /**
     * From when on the claim is worth a warning: its record hasn't been renewed for a lease duration, and still keeps other processes away for more than
     * another one. {@code Long.MAX_VALUE} if it doesn't, or if this claim was reported.
     *
     * @param reported the {@link #claimant} that was reported last; {@code null} if none was
     */
    public long reportAt(@Nullable String reported) {
        long at = standsAt();
        return at == NEVER || claimant().equals(reported) ? NEVER : at;
    }

    private long standsAt() {
        return observation.freeAt() - observation.seenAt()
                        > leaseDuration.multipliedBy(2).toNanos()
                ? observation.seenAt() + leaseDuration.toNanos()
                : NEVER;
    }

    /** Whether it keeps the lease from being acquired now. */
    public boolean stands(Moment now) {
        long at = standsAt();
        return at != NEVER && now.reached(at) && !now.reached(observation.freeAt());
    }

    /** Of which record it is: the same for all renewals of a term. */
    public String claimant() {
        Lease lease = observation.lease();
        return lease == null ? "" : lease.termIdentity() + "/" + lease.leaseDuration();
    }

    /**
     * Until when no other process may lead, by which record, and what to do about it, for a person.
     *
     * @param until when the claim ends, by the wall clock
     * @param line what ends the claim; empty if the lease is gone, so that there is no version to cite
     */
    public String describe(Instant until, Optional<String> line) {
        return "no other process may lead before " + until.truncatedTo(ChronoUnit.SECONDS) + ", because of " + record()
                + ". If no process leads by it any more, end its claim (if one does, two will lead): "
                + line.orElse(
                        "create the lease without a holder, and cite its version in the line for a lease that stays claimed"
                                + " (docs/administration.md)");
    }

    private String record() {
        Lease lease = observation.lease();
        if (lease == null) {
            return "a record of the lease from before it was deleted";
        }
        return observation.claim() - observation.earlierClaim() >= 0
                ? "the record of the holder '" + lease.holder() + "' (version " + lease.resourceVersion() + ", "
                        + lease.claims(Duration.ZERO).toSeconds() + " s), which isn't renewed"
                : "an earlier record than the present one (version " + lease.resourceVersion() + ")";
    }
}
