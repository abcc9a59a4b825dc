package io.cle.election.internal;

import java.time.Duration;
import java.util.Objects;

import io.cle.election.internal.api.PodState;
import io.cle.election.internal.api.PodState.Container;
import io.cle.election.internal.api.PodState.Phase;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.model.internal.TermIdentity;
import org.jspecify.annotations.Nullable;

/**
 * The observed state of the holder's pod during its term (safety.md#terminated-holder). Immutable.
 *
 * @param term the term; null if there was no lease
 * @param begunAt when the term was first seen, in monotonic nanoseconds
 * @param whileItLed the holder's container as reported while the holder led; null if it wasn't reported
 * @param ofRenewal the last renewal at the last inspection, by {@code LeaseObservation.seenAt}
 * @param lookedAt when it was last inspected, in monotonic nanoseconds; {@link #NEVER} if it wasn't during this term
 * @param latest the holder's container at the last inspection; null if it wasn't reported
 * @param silent whether the holder had missed a renewal at the last inspection
 */
public record HolderPod(
        @Nullable TermIdentity term,
        long begunAt,
        @Nullable Container whileItLed,
        long ofRenewal,
        long lookedAt,
        @Nullable Container latest,
        boolean silent) {

    /** An instant before all others. */
    private static final long NEVER = Long.MIN_VALUE;

    /** No term was seen yet. */
    public static final HolderPod NOT_LOOKED_AT = ofTerm(null, NEVER);

    /**
     * How long after the beginning of a term to inspect the pod first. The kubelet reports a container within seconds of its start, so a later
     * report is about the holder's run or a newer one.
     */
    static final Duration REPORTED = Duration.ofSeconds(5);

    /** How long after an inspection of a silent holder's pod to inspect it again: the kubelet takes a while to report. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

    private static HolderPod ofTerm(@Nullable TermIdentity term, long begunAt) {
        return new HolderPod(term, begunAt, null, NEVER, NEVER, null, false);
    }

    /** Returns the state after the lease was seen again. A new term discards what was seen of the pod. */
    public HolderPod seen(LeaseObservation observation) {
        Lease lease = observation.lease();
        TermIdentity current = lease == null ? null : lease.termIdentity();
        return Objects.equals(current, term) ? this : ofTerm(current, observation.seenAt());
    }

    /**
     * Returns the state after the pod was read again.
     *
     * @param renewal the last renewal that had been seen before the pod was read
     * @param missed whether the holder had missed a renewal by then
     */
    public HolderPod lookedAt(long renewal, long at, PodState state, boolean missed) {
        boolean ofTerm = latest != null && (renewal != ofRenewal || latest.phase() == Phase.RUNNING);
        Container shown = null;
        if (state instanceof Container container) {
            shown = container;
        } else if (state instanceof PodState.Missing && renewal == ofRenewal) {
            shown = latest;
        }
        return new HolderPod(term, begunAt, ofTerm ? latest : whileItLed, renewal, at, shown, missed);
    }

    /** Whether to inspect the pod although the holder renews, once per term, for comparison with later inspections. */
    boolean firstLookDue(Moment now) {
        return lookedAt == NEVER && now.reached(reportedAt());
    }

    /** Returns when to inspect the pod of a holder that has missed a renewal, in monotonic nanoseconds. */
    long nextLook(long renewal, Moment now) {
        long next = lookedAtSince(renewal) ? lookedAt + LOOK_AGAIN.toNanos() : now.nanos();
        return Math.max(next, reportedAt());
    }

    private long reportedAt() {
        return begunAt + REPORTED.toNanos();
    }

    /** Whether it was inspected since this renewal. */
    public boolean lookedAtSince(long renewal) {
        return silent && ofRenewal == renewal;
    }

    /** Whether the holder is known to be dead since a renewal. */
    public boolean deadSince(long renewal) {
        return lookedAtSince(renewal) && latest != null && ended(whileItLed, latest);
    }

    /**
     * Whether the container has ended since the term began. If it was reported as not running while the holder led, the report was late: the kubelet
     * had started another run and not yet reported it. Such a container is inconclusive for the rest of this term.
     */
    private static boolean ended(@Nullable Container whileItLed, Container now) {
        if (whileItLed == null) {
            return now.phase() == Phase.TERMINATED;
        }
        return whileItLed.phase() == Phase.RUNNING
                && (now.phase() == Phase.TERMINATED
                        || now.restarts() > whileItLed.restarts()
                        || (!whileItLed.runs().isEmpty() && now.lastEnded().equals(whileItLed.runs())));
    }

    /** Whether both describe the same term. */
    public boolean sameTerm(HolderPod other) {
        return Objects.equals(term, other.term);
    }
}
