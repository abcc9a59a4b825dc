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
 * The page of one lease, which explains who leads it.
 *
 * @param row the lease's row of the overview
 * @param replica the replica that serves the page
 * @param term the current term; {@code null} if no process holds the lease
 * @param ranking the candidates, best first
 * @param holderIsCandidate whether the holder is among the candidates
 * @param gone former candidates, the latest first
 * @param decisions the last decisions, newest first
 * @param timeLine the terms and gaps within a span
 * @param timings the lease's durations and their consequences
 * @param look commands that show the objects behind the page
 * @param act commands for actions that an administrator may want to take
 * @param group the group of the lease, or the lease whose shard it is, as {@code <namespace>/<name>}; {@code null} if it is in no group
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
        List<Command> act,
        @Nullable String group) {

    /** The value of {@code elected-by} that a candidate writes after it has raced for the lease (protocol.md). */
    private static final String FALLBACK = "candidate-fallback";

    /** The maximum number of candidates shown; the others are only counted. */
    static final int LONGEST_RANKING = 200;

    /**
     * The current term, as recorded on the lease.
     *
     * @param holder who holds the lease
     * @param electedBy who elected the holder, or that the holder acquired the lease itself
     * @param acquired when the holder acquired the lease, by its clock; {@code null} if unknown
     * @param renewedAt when a renewal was last observed; {@code null} if none was
     * @param heldUntil until when the lease is held unless it is renewed; {@code null} if unknown
     * @param duration how long a renewal is valid, in milliseconds
     * @param remaining how long the lease is still held, in milliseconds
     * @param transitions how often the holder has changed
     * @param yieldsTo the candidate that the holder was asked to yield to; {@code null} if it wasn't asked
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
     * @param holding its relation to the lease: {@code leads}, {@code elected} without having begun its term, or {@code expired};
     *     {@code null} if the lease names another holder or none
     * @param behind why it ranks behind the previous one, isn't ranked, or until when it is held off; {@code null} for the best
     * @param answer the state of its acknowledgement: an {@link Answer} in lower case
     * @param answerText the same, for people
     * @param acknowledgedAt when it last renewed or acknowledged; {@code null} if that wasn't observed
     * @param pod its pod, if known
     * @param binaryVersion its program's version, if known
     * @param compatibilityVersion the version it is compatible with, if known
     * @param priority its priority, if any
     * @param strategy the strategy that it requests
     * @param command the command that shows it; {@code null} if its name is unsafe in a shell
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
     * A duration and its consequence.
     *
     * @param name its name
     * @param value its value
     * @param meaning its consequence
     */
    public record Fact(String name, String value, String meaning) {}

    /**
     * A command for an administrator to copy into a shell.
     *
     * @param purpose its purpose, for people
     * @param line the command line
     */
    public record Command(String purpose, String line) {}

    /**
     * Returns the page of a lease in a snapshot.
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
                Commands.toAct(lease, snapshot.format()),
                lease.group() == null ? null : GroupRow.name(lease.group().key()));
    }

    /** Returns the name of the group for display; empty if the lease is in none. */
    public String shownGroup() {
        return group == null ? "" : DisplayFormat.text(group.substring(group.indexOf('/') + 1));
    }

    private static TermView term(Lease object, String holder, ElectionView lease, Instant now) {
        // A process that was only elected holds nothing yet: the lease can be granted to another candidate at any time.
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

    /** Describes who elected the holder, or that it has raced for the lease. */
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
                    : Comparison.behind(before, candidate, lease.strategy());
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
     * Describes the durations and their consequences. A lease doesn't contain its holder's renew deadline, which is assumed to be the
     * default, two thirds of the lease duration.
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
