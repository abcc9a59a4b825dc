package io.cle.web.view;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.ElectionView;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import io.cle.model.internal.Lease;
import io.cle.strategy.ElectionStrategy;
import org.jspecify.annotations.Nullable;

/**
 * A lease at a glance. It changes only when something happens, not because time passes, so that an open page is updated only then.
 *
 * @param key the lease
 * @param state how it is doing
 * @param leader who leads, or was elected and is about to; {@code null} when no process does
 * @param since since when the leader leads, or there is no leader; {@code null} when that isn't known
 * @param strategy by which it is elected
 * @param strategySource who asks for the strategy
 * @param candidates how many candidates there are
 * @param next who would follow the leader, or is to take over; {@code null} when there is no other candidate
 * @param problems what needs attention; first of all, that there is no leader
 * @param vacancy what has to happen before there is a leader; {@code null} when there is one
 */
public record LeaseRow(
        ObjectKey key,
        State state,
        @Nullable Leader leader,
        @Nullable Instant since,
        String strategy,
        String strategySource,
        int candidates,
        @Nullable String next,
        List<Problem> problems,
        @Nullable Vacancy vacancy) {

    /** The share of a lease's duration after which a leader that hasn't renewed is worth a warning: it has missed about two renewals. */
    private static final int LATE_DIVISOR = 2;

    /**
     * A leader.
     *
     * @param identity its identity
     * @param pod its pod's name, where it is known
     * @param version its program's version, where it is known
     */
    public record Leader(
            String identity, @Nullable String pod, @Nullable String version) {}

    /** How a lease is doing, in the order in which an administrator should look at it. */
    public enum State {
        /** No process leads, and no election is about to change that. */
        NO_LEADER("no leader"),
        /** No process leads yet; candidates are being asked, or the elected one is about to begin its term. */
        ELECTING("electing"),
        /** The leader was asked to yield to a better candidate. */
        HANDING_OVER("handing over"),
        /** A process leads, and something about the lease needs attention. */
        WARNING("warning"),
        /** A process leads that no coordinator has elected, or none is to elect. */
        LEFT_ALONE("left alone"),
        /** The elected process leads. */
        LED("led");

        private final String text;

        State(String text) {
            this.text = text;
        }

        /** For people. */
        public String text() {
            return text;
        }

        /** For URLs and style sheets: {@code no-leader}. */
        public String slug() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** The state of a {@link #slug()}; empty when there is none. */
        public static Optional<State> of(String slug) {
            return Arrays.stream(values())
                    .filter(state -> state.slug().equals(slug))
                    .findFirst();
        }
    }

    /**
     * Something about a lease that needs attention.
     *
     * @param vacant whether it is that no process leads
     * @param text what is wrong, or what is being waited for
     * @param kind the same without names and numbers: problems of two leases that are equal by it are one line of the overview
     */
    public record Problem(boolean vacant, String text, String kind) {

        private static final Pattern WORD = Pattern.compile("(\\S+?)([,;:.)]*)(?=\\s|$)");

        /** A number, a version, a time, an object's key, or a name that Kubernetes has made up. */
        private static final Pattern PARTICULAR = Pattern.compile(".*[0-9/].*");

        /** A problem whose text comes from elsewhere, so that its names and numbers have to be found. */
        static Problem of(boolean vacant, String text) {
            String kind = WORD.matcher(text)
                    .replaceAll(word -> Matcher.quoteReplacement(
                            PARTICULAR.matcher(word.group(1)).matches() ? "…" + word.group(2) : word.group()));
            return new Problem(vacant, text, kind);
        }
    }

    /** What there is to say about the leases of a snapshot, in its order. */
    public static List<LeaseRow> allOf(CoordinatorSnapshot snapshot) {
        return snapshot.leases().stream()
                .map(lease -> of(lease, snapshot.policy(), snapshot.time()))
                .toList();
    }

    /** What there is to say about a lease. */
    public static LeaseRow of(ElectionView snapshot, ElectionPolicy policy, Instant now) {
        return new Reading(snapshot, policy, now).row();
    }

    /** What the row is called in the page, whatever strangers have put into its name. */
    public String id() {
        return "lease-" + URLEncoder.encode(key.namespace() + "/" + key.name(), StandardCharsets.UTF_8);
    }

    /** The namespace, to be shown. */
    public String namespace() {
        return DisplayFormat.text(key.namespace());
    }

    /** The name, to be shown. */
    public String name() {
        return DisplayFormat.text(key.name());
    }

    /** An identity without the name of the lease before it, which would be the same in all cells of the line. */
    public String withoutName(String identity) {
        String prefix = name() + "-";
        String rest = identity;
        // Once by the protocol, and once more where the pod's name begins with it.
        while (rest.startsWith(prefix) && rest.length() > prefix.length()) {
            rest = rest.substring(prefix.length());
        }
        return rest;
    }

    /** What needs attention beside a missing leader. */
    public List<String> warnings() {
        return problems.stream()
                .filter(problem -> !problem.vacant())
                .map(Problem::text)
                .toList();
    }

    /** What is found out about one lease on the way to its row. */
    private record Reading(ElectionView snapshot, ElectionPolicy policy, Instant now) {

        LeaseRow row() {
            Lease lease = snapshot.lease();
            List<Problem> warnings = warnings();
            State state = state(warnings);
            boolean held = held() || (state == State.ELECTING && elected());
            Vacancy vacancy = held && state != State.ELECTING ? null : vacancy();
            List<Problem> problems = new ArrayList<>();
            if (vacancy != null && state == State.NO_LEADER) {
                problems.add(vacancy.problem());
            }
            problems.addAll(warnings);
            return new LeaseRow(
                    snapshot.key(),
                    state,
                    held && lease != null && lease.holder() != null ? leader(lease.holder()) : null,
                    held ? ledSince() : vacantSince(),
                    DisplayFormat.text(snapshot.strategy().name()),
                    snapshot.strategy().source().text(),
                    snapshot.candidates().size(),
                    next().map(DisplayFormat::text).orElse(null),
                    List.copyOf(problems),
                    vacancy);
        }

        /** Whether a process leads. */
        private boolean held() {
            return snapshot.holdingAt(now) == ElectionView.Holding.LEADS;
        }

        /** Whether a candidate was elected that hasn't begun its term. */
        private boolean elected() {
            return snapshot.holdingAt(now) == ElectionView.Holding.ELECTED;
        }

        private State state(List<Problem> warnings) {
            Lease lease = snapshot.lease();
            if (!held() || lease == null) {
                return electing() ? State.ELECTING : State.NO_LEADER;
            }
            if (lease.endOfTerm()) {
                return State.HANDING_OVER;
            }
            if (!warnings.isEmpty()) {
                return State.WARNING;
            }
            return lease.electedBy() == null || !coordinated() ? State.LEFT_ALONE : State.LED;
        }

        private boolean coordinated() {
            ElectionStrategy strategy = snapshot.strategy().strategy();
            return strategy != null && strategy.coordinates();
        }

        /** An election takes as long as candidates have to acknowledge; if there is no leader after twice that time, something is wrong. */
        private boolean electing() {
            Instant since = electableSince();
            return coordinated()
                    && snapshot.candidates().stream().anyMatch(standing -> standing.answer() != Answer.SILENT)
                    && (since == null
                            || now.isBefore(since.plus(policy.ackTimeout().multipliedBy(2))));
        }

        private List<Problem> warnings() {
            List<Problem> warnings = new ArrayList<>();
            Lease lease = snapshot.lease();
            if (held() && lease != null && snapshot.renewedAt() != null && late(lease, snapshot.renewedAt())) {
                String missed = "the leader has missed renewals";
                String expiry = snapshot.heldUntil() == null
                        ? "an unknown time"
                        : DisplayFormat.time(snapshot.heldUntil(), now);
                warnings.add(new Problem(false, missed + "; the lease expires at " + expiry, missed));
            }
            String silent = " does not acknowledge, and is ignored until it renews";
            snapshot.candidates().stream()
                    .filter(standing -> standing.answer() == Answer.SILENT)
                    .map(standing -> DisplayFormat.text(standing.candidate().identity()))
                    .forEach(name -> warnings.add(new Problem(false, name + silent, "a candidate" + silent)));
            snapshot.problems().stream()
                    .map(text -> Problem.of(false, DisplayFormat.text(text)))
                    .forEach(warnings::add);
            return warnings;
        }

        private boolean late(Lease lease, Instant renewedAt) {
            return now.isAfter(renewedAt.plus(lease.leaseDuration().dividedBy(LATE_DIVISOR)));
        }

        private @Nullable Instant ledSince() {
            Lease lease = snapshot.lease();
            ElectionView.PastTerm term = lastTerm();
            if (term != null && term.until() == null && !term.begunBefore()) {
                return term.from();
            }
            return lease == null ? null : lease.acquireTime();
        }

        private @Nullable Instant vacantSince() {
            return snapshot.vacantSinceAt(now);
        }

        /** Since when a candidate could be elected and begin its term: the lease of a leader that has died is held until it expires. */
        private @Nullable Instant electableSince() {
            return switch (snapshot.holdingAt(now)) {
                case EXPIRED -> snapshot.heldUntil();
                case ELECTED -> snapshot.renewedAt();
                default -> vacantSince();
            };
        }

        private ElectionView.@Nullable PastTerm lastTerm() {
            List<ElectionView.PastTerm> terms = snapshot.terms();
            return terms.isEmpty() ? null : terms.get(terms.size() - 1);
        }

        private Leader leader(String holder) {
            Optional<Candidate> candidate = snapshot.candidates().stream()
                    .map(ElectionView.Standing::candidate)
                    .filter(it -> it.identity().equals(holder))
                    .findFirst();
            return new Leader(
                    DisplayFormat.text(holder),
                    candidate
                            .map(Candidate::pod)
                            .map(PodRef::key)
                            .map(pod -> DisplayFormat.text(pod.name()))
                            .orElse(null),
                    candidate
                            .map(Candidate::binaryVersion)
                            .map(Version::toString)
                            .map(DisplayFormat::text)
                            .orElse(null));
        }

        private Optional<String> next() {
            Lease lease = snapshot.lease();
            if (lease != null && lease.endOfTerm() && lease.preferredHolder() != null) {
                return Optional.of(lease.preferredHolder());
            }
            return snapshot.candidates().stream()
                    .filter(standing -> standing.answer() != Answer.SILENT)
                    .map(standing -> standing.candidate().identity())
                    .filter(identity -> lease == null || !identity.equals(lease.holder()))
                    .findFirst();
        }

        /** What there has to be before a process leads. */
        private Vacancy vacancy() {
            Lease lease = snapshot.lease();
            if (elected() && lease != null) {
                return Vacancy.notBegun(String.valueOf(lease.holder()));
            }
            if (snapshot.candidates().isEmpty()) {
                return Vacancy.NO_CANDIDATE;
            }
            if (snapshot.strategy().strategy() == null && snapshot.strategy().problem() != null) {
                return Vacancy.unusableStrategy(
                        snapshot.strategy().problem(),
                        snapshot.strategy().source().text());
            }
            if (!coordinated()) {
                return Vacancy.notCoordinated(
                        snapshot.strategy().name(), snapshot.strategy().source().text());
            }
            if (snapshot.candidates().stream().allMatch(standing -> standing.answer() == Answer.SILENT)) {
                return Vacancy.allSilent(snapshot.candidates().size());
            }
            return Vacancy.undecided(
                    snapshot.decisions().isEmpty()
                            ? null
                            : snapshot.decisions().get(0).reason());
        }
    }
}
