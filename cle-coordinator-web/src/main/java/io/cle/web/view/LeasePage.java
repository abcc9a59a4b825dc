package io.cle.web.view;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

import io.cle.ApiFormat;
import io.cle.Timings;
import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.ElectionView;
import io.cle.election.internal.ElectionView.FormerCandidate;
import io.cle.election.internal.ElectionView.PastDecision;
import io.cle.model.Candidate;
import io.cle.model.internal.Lease;
import io.cle.web.view.CoordinatorSnapshot.ReplicaLine;
import io.cle.web.view.TimeLine.Span;
import org.jspecify.annotations.Nullable;

/**
 * One lease, with everything that explains who leads it.
 *
 * @param row the lease at a glance
 * @param replica what the replica that serves the page is
 * @param term the running term; {@code null} when no process holds the lease
 * @param ranking the candidates, best first
 * @param holderIsCandidate whether the holder is among the candidates
 * @param gone candidates that there are no more, the last one first
 * @param decisions the last decisions, newest first
 * @param timeLine terms and gaps within a span
 * @param timings the lease's durations, and what they amount to
 * @param look command lines that show what the page shows
 * @param act command lines for what an administrator may want next
 */
public record LeasePage(
        LeaseRow row,
        ReplicaLine replica,
        @Nullable TermView term,
        List<Ranked> ranking,
        boolean holderIsCandidate,
        List<FormerCandidate> gone,
        List<PastDecision> decisions,
        TimeLine timeLine,
        List<Fact> timings,
        List<Command> look,
        List<Command> act) {

    /** What a candidate writes into {@code elected-by} that has raced for the lease (protocol.md). */
    private static final String FALLBACK = "candidate-fallback";

    /** Candidates beyond so many are counted only. */
    static final int LONGEST_RANKING = 200;

    /**
     * A term, as its lease says.
     *
     * @param holder who holds the lease
     * @param electedBy who elected it, or that it took the lease itself
     * @param acquired when it acquired the lease, by its clock; {@code null} when it doesn't say
     * @param renewedAt when a renewal was last seen; {@code null} when none was
     * @param heldUntil until when the lease is held unless it is renewed; {@code null} when that isn't known
     * @param duration for how long a renewal holds, in milliseconds
     * @param remaining for how long the lease is still held, in milliseconds
     * @param transitions how often the holder has changed
     * @param yieldsTo to whom the holder was asked to yield; {@code null} when it wasn't
     */
    public record TermView(
            String holder,
            String electedBy,
            @Nullable Instant acquired,
            @Nullable Instant renewedAt,
            @Nullable Instant heldUntil,
            long duration,
            long remaining,
            int transitions,
            @Nullable String yieldsTo) {}

    /**
     * A candidate in the ranking.
     *
     * @param rank from 1
     * @param name its name
     * @param holding what it is to the lease: {@code leads}, {@code elected} without having begun its term, or {@code expired}; {@code null} if
     *     the lease names another holder or none
     * @param behind by which criterion it is behind the one before, or until when it is held off; {@code null} for the first
     * @param answer where it is in acknowledging: a {@link Answer}, in lower case
     * @param answerText the same, for people
     * @param acknowledgedAt when it last renewed or acknowledged; {@code null} when that wasn't seen
     * @param pod its pod, where it is known
     * @param binaryVersion its program's version, where it is known
     * @param compatibilityVersion the version it is compatible with, where it is known
     * @param priority its priority, where it has one
     * @param strategy the strategy it asks for
     * @param command the line that shows it; {@code null} when its name isn't one for a command line
     */
    public record Ranked(
            int rank,
            String name,
            @Nullable String holding,
            @Nullable String behind,
            String answer,
            String answerText,
            @Nullable Instant acknowledgedAt,
            @Nullable String pod,
            @Nullable String binaryVersion,
            @Nullable String compatibilityVersion,
            @Nullable Integer priority,
            String strategy,
            @Nullable String command) {}

    /**
     * A duration and what follows from it.
     *
     * @param name what it is
     * @param value how long
     * @param meaning what that amounts to
     */
    public record Fact(String name, String value, String meaning) {}

    /**
     * A line for an administrator to copy into a shell.
     *
     * @param purpose what it does, for people
     * @param line the line
     */
    public record Command(String purpose, String line) {}

    /**
     * The page of a lease in a snapshot.
     *
     * @param span how much of the past its time line shows
     */
    public static LeasePage of(CoordinatorSnapshot snapshot, ElectionView lease, Span span) {
        Instant now = snapshot.time();
        LeaseRow row = LeaseRow.of(lease, snapshot.policy(), now);
        Lease object = lease.lease();
        TermView term = object == null || object.holder() == null || row.leader() == null
                ? null
                : term(object, object.holder(), lease, now);
        return new LeasePage(
                row,
                snapshot.replica(),
                term,
                ranking(lease, snapshot.format(), now),
                object == null
                        || lease.candidates().stream()
                                .anyMatch(standing ->
                                        standing.candidate().identity().equals(object.holder())),
                lease.gone().stream()
                        .map(gone -> new FormerCandidate(DisplayFormat.text(gone.identity()), gone.since()))
                        .toList(),
                lease.decisions().stream()
                        .map(decision -> new PastDecision(decision.time(), DisplayFormat.text(decision.reason())))
                        .toList(),
                TimeLine.of(lease, now, span),
                timings(object, snapshot.policy(), lease),
                Commands.toLook(lease, snapshot.format()),
                Commands.toAct(lease, snapshot.format()));
    }

    private static TermView term(Lease object, String holder, ElectionView lease, Instant now) {
        // One that was only elected holds nothing yet: the lease can be given to another candidate at any moment.
        Instant until = lease.holdingAt(now) == ElectionView.Holding.ELECTED ? null : lease.heldUntil();
        long duration = object.leaseDuration().toMillis();
        long remaining = until == null ? 0 : Duration.between(now, until).toMillis();
        return new TermView(
                DisplayFormat.text(holder),
                electedBy(object.electedBy()),
                object.acquireTime(),
                lease.renewedAt(),
                until,
                duration,
                Math.max(0, Math.min(duration, remaining)),
                object.transitions(),
                object.endOfTerm()
                        ? DisplayFormat.text(Objects.requireNonNullElse(object.preferredHolder(), "any other"))
                        : null);
    }

    /** Elected by a coordinator, or raced for. */
    private static String electedBy(@Nullable String electedBy) {
        return electedBy == null
                ? "itself; no coordinator"
                : electedBy.equals(FALLBACK)
                        ? "itself: it raced for the lease, because no coordinator had elected a leader (" + electedBy
                                + ")"
                        : DisplayFormat.text(electedBy);
    }

    private static List<Ranked> ranking(ElectionView lease, @Nullable ApiFormat format, Instant now) {
        List<Ranked> ranking = new ArrayList<>();
        Candidate before = null;
        for (ElectionView.Standing standing : lease.candidates()) {
            if (ranking.size() == LONGEST_RANKING) {
                break;
            }
            Candidate candidate = standing.candidate();
            String behind = standing.heldOffUntil() != null
                    ? "held off until " + standing.heldOffUntil().truncatedTo(ChronoUnit.SECONDS)
                            + ": it was elected and didn't begin its term"
                    : before == null ? null : Comparison.behind(before, candidate, lease.strategy());
            ElectionView.Holding holding = lease.holdingOf(candidate, now);
            ranking.add(new Ranked(
                    ranking.size() + 1,
                    DisplayFormat.text(candidate.identity()),
                    holding == ElectionView.Holding.NONE ? null : holding.name().toLowerCase(Locale.ROOT),
                    behind,
                    standing.answer().name().toLowerCase(Locale.ROOT),
                    answer(standing.answer()),
                    standing.acknowledgedAt(),
                    Optional.ofNullable(candidate.pod())
                            .map(pod -> DisplayFormat.text(pod.key().name()))
                            .orElse(null),
                    text(candidate.binaryVersion()),
                    text(candidate.compatibilityVersion()),
                    candidate.priority(),
                    DisplayFormat.text(candidate.strategy()),
                    Commands.ofCandidate(candidate, format)));
            before = candidate;
        }
        return List.copyOf(ranking);
    }

    private static String answer(Answer answer) {
        return switch (answer) {
            case ACKNOWLEDGED -> "acknowledged";
            case PENDING -> "asked to acknowledge";
            case SILENT -> "does not acknowledge";
            case UNASKED -> "not asked lately";
        };
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : DisplayFormat.text(value.toString());
    }

    /**
     * What the durations amount to. A lease doesn't show its holder's renew deadline; it is taken to be two thirds of the lease
     * duration, as it is by default.
     */
    private static List<Fact> timings(@Nullable Lease object, ElectionPolicy policy, ElectionView lease) {
        Duration leaseDuration = object == null ? policy.leaseDuration() : object.leaseDuration();
        Timings timings =
                new Timings(leaseDuration, leaseDuration.multipliedBy(2).dividedBy(3), leaseDuration.dividedBy(7));
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact(
                "lease duration",
                DisplayFormat.duration(leaseDuration),
                "after a crash of the leader another one leads within "
                        + DisplayFormat.duration(timings.worstCrashFailover())
                        + "; as soon as its containers are reported terminated, if the coordinator may read its pod"));
        facts.add(new Fact(
                "renew deadline",
                DisplayFormat.duration(timings.renewDeadline()),
                "two thirds of the lease duration, by default: the leader survives an outage of the API server of "
                        + DisplayFormat.duration(timings.toleratedOutage())
                        + ", and clocks whose rates differ by up to a factor of "
                        + String.format(Locale.ROOT, "%.2f", timings.toleratedClockRateRatio())));
        facts.add(new Fact(
                "acknowledge timeout",
                DisplayFormat.duration(policy.ackTimeout()),
                "a better candidate that does not acknowledge delays an election by at most this"));
        facts.add(new Fact(
                "stabilization",
                policy.stabilization().isZero() ? "none" : DisplayFormat.duration(policy.stabilization()),
                policy.stabilization().isZero()
                        ? "a better candidate preempts the leader at once"
                        : "how long a better candidate must have existed before it preempts the leader"));
        lease.candidates().stream()
                .map(standing -> standing.candidate().validity())
                .max(Duration::compareTo)
                .ifPresent(validity -> facts.add(new Fact(
                        "candidate validity",
                        DisplayFormat.duration(validity),
                        "how long after its last renewal a candidate is removed")));
        return List.copyOf(facts);
    }
}
