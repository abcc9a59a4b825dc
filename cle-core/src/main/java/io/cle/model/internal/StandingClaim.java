package io.cle.model.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A claim that blocks all other processes for a long time although its record isn't renewed. It may be a mistake, which an administrator
 * can end ({@code safety.md#administrators-line}). Immutable; instants are monotonic nanoseconds.
 *
 * @param observation the observed state of the lease
 * @param leaseDuration the observer's own lease duration
 */
public record StandingClaim(LeaseObservation observation, Duration leaseDuration) {

    /** An instant that never comes. */
    private static final long NEVER = Long.MAX_VALUE;

    /**
     * Returns when to warn about the claim: its record hasn't been renewed for one lease duration and still blocks other processes for more
     * than another one. {@code Long.MAX_VALUE} if it doesn't, or if this claim was already reported.
     *
     * @param reported the {@link #claimant} reported last; {@code null} if none was
     */
    public long reportAt(@Nullable String reported) {
        long at = standsAt();
        return at == NEVER || claimant().equals(reported) ? NEVER : at;
    }

    private long standsAt() {
        boolean closed = observation.lease() != null && observation.lease().closed();
        return !closed
                        && observation.freeAt() - observation.seenAt()
                                > leaseDuration.multipliedBy(2).toNanos()
                ? observation.seenAt() + leaseDuration.toNanos()
                : NEVER;
    }

    /** Returns whether it currently prevents other processes from acquiring the lease. */
    public boolean stands(Moment now) {
        long at = standsAt();
        return at != NEVER && now.reached(at) && !now.reached(observation.freeAt());
    }

    /** Identifies the record of the claim. All renewals of a term return the same value. */
    public String claimant() {
        Lease lease = observation.lease();
        return lease == null ? "" : lease.termIdentity() + "/" + lease.leaseDuration();
    }

    /**
     * Describes, for a person, until when no other process may lead, which record is the cause, and what to do.
     *
     * @param until when the claim ends, by the wall clock
     * @param line the command that ends the claim; empty if the lease is gone, so that there is no version to cite
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
