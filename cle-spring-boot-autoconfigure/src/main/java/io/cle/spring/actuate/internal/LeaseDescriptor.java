package io.cle.spring.actuate.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

import io.cle.LockSnapshot;
import io.cle.LockSnapshot.Contact;
import io.cle.LockSnapshot.HistoryEntry;
import io.cle.Timings;
import io.cle.model.Candidate;
import io.cle.model.Version;
import io.cle.spring.kubernetes.internal.CandidateFormats;
import io.cle.spring.lock.internal.CandidateAvailability;
import io.cle.spring.lock.internal.WorkLog;
import org.jspecify.annotations.Nullable;

/**
 * One lease on the endpoint. Times and durations are ISO 8601 ({@code 2026-01-01T00:00:00Z}, {@code PT7.5S}); what isn't known is
 * {@code null}.
 *
 * @param lease where the record stands: {@code <namespace>/<name>}
 * @param kind "coordinated" or "direct"
 * @param role what this process is for it
 * @param waitsFor what it waits for before it is a candidate: the application isn't ready
 * @param identity under what name it stands
 * @param holder who is named as the holder
 * @param fencingToken the token of the running term; it may have 19 digits, of which JavaScript's numbers keep 15
 * @param acquireTime when the holder acquired the lease, by its clock
 * @param renewTime when the holder last renewed, by its clock
 * @param validFor how long this process may still lead without another renewal
 * @param strategy the strategy on the lease
 * @param electedBy who has elected the holder: a coordinator, or {@code candidate-fallback} if the holder has raced for the lease
 * @param uncoordinated why no coordinator can elect this process, so that it races for a coordinated lease at once
 * @param transitions how often the holder has changed
 * @param endOfTerm whether the holder has been asked to yield
 * @param preferredHolder to whom it is to yield
 * @param format in which wire format the candidates stand, {@code crd} or {@code native}
 * @param formatReason why it is this one
 * @param candidate what this process has announced
 * @param requirement what this candidate requires of the application, and whether the application has it
 * @param candidacy whether it can be announced and watched
 * @param writes whether the lease takes this process's writes
 * @param timing the three durations and what follows from them
 * @param contact whether the API server answers
 * @param history what happened last, oldest first
 * @param work how the work that it leads in this process fares
 */
public record LeaseDescriptor(
        String lease,
        String kind,
        String role,
        @Nullable String waitsFor,
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
        @Nullable String format,
        @Nullable String formatReason,
        @Nullable CandidateDescriptor candidate,
        @Nullable RequirementDescriptor requirement,
        @Nullable Contact candidacy,
        @Nullable Contact writes,
        TimingDescriptor timing,
        Contact contact,
        List<HistoryEntry> history,
        Collection<WorkLog.Status> work) {

    /**
     * Describes what a lock knows.
     *
     * @param format of its candidates; {@code null} where there are none
     * @param work the status of the work that it leads
     * @param requirement what its candidate requires; {@code null} where there is none
     * @param waitsFor what the start of the application waits for; {@code null} if it is ready
     */
    public static LeaseDescriptor of(
            LockSnapshot lock,
            CandidateFormats.@Nullable Chosen format,
            Collection<WorkLog.Status> work,
            CandidateAvailability.@Nullable Status requirement,
            @Nullable String waitsFor) {
        Candidate candidate = lock.candidate();
        LockSnapshot.Leading leading = lock.leading();
        LockSnapshot.Observed observed = lock.observed();
        return new LeaseDescriptor(
                lock.lease().toString(),
                lock.coordinated() ? "coordinated" : "direct",
                lock.role().name(),
                waitsFor,
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
                format == null || format.format() == null
                        ? null
                        : format.format().name().toLowerCase(Locale.ROOT),
                format == null ? null : format.reason(),
                candidate == null ? null : CandidateDescriptor.of(candidate),
                requirement == null ? null : RequirementDescriptor.of(requirement),
                lock.contacts().candidacy(),
                lock.contacts().writes(),
                TimingDescriptor.of(lock.timings()),
                lock.contacts().apiServer(),
                lock.history(),
                work);
    }

    private static @Nullable String text(@Nullable Version version) {
        return version == null ? null : version.toString();
    }

    /** What this process has announced, as it stands in the cluster. */
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
     * What a candidate requires of the application ({@code cle.candidate.requires}).
     *
     * @param requires {@code readiness}, {@code liveness} or {@code none}
     * @param met whether the application has it
     * @param problem what it hasn't
     */
    public record RequirementDescriptor(
            String requires, boolean met, @Nullable String problem) {

        private static RequirementDescriptor of(CandidateAvailability.Status status) {
            return new RequirementDescriptor(
                    status.requires().name().toLowerCase(Locale.ROOT), status.problem() == null, status.problem());
        }
    }

    /**
     * The three durations and what follows from them for an operator.
     *
     * @param renewInterval how often the holder renews
     * @param toleratedClockRateRatio by what factor clock rates may differ before two could lead
     * @param toleratedOutage how long the API server may be away without the loss of a term
     * @param worstCrashFailover from a crash until another one may lead
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
