package io.cle.spring.actuate.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

import io.cle.LockSnapshot;
import io.cle.LockSnapshot.Contact;
import io.cle.LockSnapshot.HistoryEntry;
import io.cle.Timings;
import io.cle.model.Candidate;
import io.cle.model.Version;
import io.cle.spring.lock.internal.ApplicationLease;
import io.cle.spring.lock.internal.WorkLog;
import org.jspecify.annotations.Nullable;

/**
 * One lease on the endpoint. Times and durations are ISO 8601 ({@code 2026-01-01T00:00:00Z}, {@code PT7.5S}); unknown values are {@code null}.
 *
 * @param lease the key of the record: {@code <namespace>/<name>}
 * @param kind "coordinated" or "direct"
 * @param role this process's role
 * @param identity this process's identity as a candidate
 * @param holder the identity of the holder
 * @param fencingToken the token of the running term; it may have 19 digits, of which JavaScript's numbers keep 15
 * @param acquireTime when the holder acquired the lease, by its clock
 * @param renewTime when the holder last renewed, by its clock
 * @param validFor the time for which this process may still lead without another renewal
 * @param strategy the strategy on the lease
 * @param electedBy the elector of the holder: a coordinator, {@code candidate-fallback} if the holder has raced for the
 *     lease, or {@code candidate-hand-over} if the previous leader named it as its successor
 * @param uncoordinated why no coordinator can elect this process, so that it races for a coordinated lease at once
 * @param transitions how often the holder has changed
 * @param endOfTerm whether the holder has been asked to yield
 * @param preferredHolder the candidate to which the holder is asked to yield
 * @param candidate the candidate that this process has announced
 * @param candidacy whether the candidate can be announced and watched
 * @param writes whether writes of the lease succeed
 * @param timing the three durations and the values that follow from them
 * @param contact whether the API server answers
 * @param history the last events, oldest first
 * @param work the status of the work that the lease leads in this process
 */
public record LeaseDescriptor(
        String lease,
        String kind,
        String role,
        String identity,
        @Nullable String holder,
        @Nullable Long fencingToken,
        @Nullable Instant acquireTime,
        @Nullable Instant renewTime,
        @Nullable Duration validFor,
        @Nullable String strategy,
        @Nullable String electedBy,
        @Nullable String uncoordinated,
        int transitions,
        boolean endOfTerm,
        @Nullable String preferredHolder,
        @Nullable CandidateDescriptor candidate,
        @Nullable Contact candidacy,
        @Nullable Contact writes,
        TimingDescriptor timing,
        Contact contact,
        List<HistoryEntry> history,
        Collection<WorkLog.Status> work) {

    /** Describes a lease. */
    static LeaseDescriptor of(ApplicationLease lease) {
        LockSnapshot lock = lease.lock().snapshot();
        Candidate candidate = lock.candidate();
        LockSnapshot.Leading leading = lock.leading();
        LockSnapshot.Observed observed = lock.observed();
        return new LeaseDescriptor(
                lock.lease().toString(),
                lock.coordinated() ? "coordinated" : "direct",
                lock.role().name(),
                lock.identity(),
                observed.holder(),
                leading == null ? null : leading.fencingToken(),
                observed.acquireTime(),
                observed.renewTime(),
                leading == null ? null : leading.validFor(),
                observed.strategy(),
                observed.electedBy(),
                lock.uncoordinated(),
                observed.transitions(),
                observed.endOfTerm(),
                observed.preferredHolder(),
                candidate == null ? null : CandidateDescriptor.of(candidate),
                lock.contacts().candidacy(),
                lock.contacts().writes(),
                TimingDescriptor.of(lock.timings()),
                lock.contacts().apiServer(),
                lock.history(),
                lease.work());
    }

    private static @Nullable String text(@Nullable Version version) {
        return version == null ? null : version.toString();
    }

    /** The candidate that this process has announced, as it is stored in the cluster. */
    public record CandidateDescriptor(
            String name,
            @Nullable String binaryVersion,
            @Nullable String compatibilityVersion,
            String strategy,
            @Nullable Integer priority,
            @Nullable Instant renewTime,
            @Nullable Instant pingTime) {

        private static CandidateDescriptor of(Candidate candidate) {
            return new CandidateDescriptor(
                    candidate.key().name(),
                    text(candidate.binaryVersion()),
                    text(candidate.compatibilityVersion()),
                    candidate.strategy(),
                    candidate.priority(),
                    candidate.renewTime(),
                    candidate.pingTime());
        }
    }

    /**
     * The three durations and the values that follow from them.
     *
     * @param renewInterval how often the holder renews
     * @param toleratedClockRateRatio the largest ratio between two processes' clock rates that still excludes two leaders
     * @param toleratedOutage the longest outage of the API server that ends no term
     * @param worstCrashFailover the longest time from a crash until another process may lead
     */
    public record TimingDescriptor(
            Duration leaseDuration,
            Duration renewDeadline,
            Duration retryPeriod,
            Duration renewInterval,
            double toleratedClockRateRatio,
            Duration toleratedOutage,
            Duration worstCrashFailover) {

        private static TimingDescriptor of(Timings timings) {
            return new TimingDescriptor(
                    timings.leaseDuration(),
                    timings.renewDeadline(),
                    timings.retryPeriod(),
                    timings.renewInterval(),
                    timings.toleratedClockRateRatio(),
                    timings.toleratedOutage(),
                    timings.worstCrashFailover());
        }
    }
}
