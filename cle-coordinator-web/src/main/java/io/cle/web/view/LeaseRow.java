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
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import io.cle.model.internal.Lease;
import io.cle.strategy.ElectionStrategy;
import org.jspecify.annotations.Nullable;

/**
 * A lease's row of the overview. It changes only when something happens, not merely because time passes, so that an open page is updated
 * only then.
 *
 * @param key the lease
 * @param state its state
 * @param leader the process that leads, or that was elected and is about to lead; {@code null} if there is none
 * @param since since when the leader has led, or there has been no leader; {@code null} if unknown
 * @param strategy the strategy of its elections
 * @param strategySource who requested the strategy
 * @param candidates how many candidates there are
 * @param next the candidate that would follow the leader, or is about to take over; {@code null} if there is no other candidate, or if none is elected
 * @param problems what needs attention, a missing leader first
 * @param vacancy why there is no leader; {@code null} if there is one
 * @param application the name with which the candidates' identities begin: the lease's, or its group's
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
        @Nullable Vacancy vacancy,
        String application) {

    /** The divisor of the lease duration after which to warn about a leader that hasn't renewed: it has missed about two renewals. */
    private static final int LATE_DIVISOR = 2;

    /**
     * A leader.
     *
     * @param identity its identity
     * @param pod its pod's name, if known
     * @param version its program's version, if known
     */
    public record Leader(
            String identity, @Nullable String pod, @Nullable String version) {}

    /** The state of a lease, the one that most needs an administrator's attention first. */
    public enum State {
        /** No process leads, and no election is about to change that. */
        NO_LEADER("no leader"),
        /** No process leads yet; candidates are being pinged, or the elected one is about to begin its term. */
        ELECTING("electing"),
        /** The leader was asked to yield to a better candidate. */
        HANDING_OVER("handing over"),
        /** A process leads, and something about the lease needs attention. */
        WARNING("warning"),
        /** The leader wasn't elected by a coordinator, or no coordinator may elect. */
        LEFT_ALONE("left alone"),
        /** The elected process leads. */
        LED("led"),
        /** Another number of shards is in force, so that no process is to lead. */
        RETIRED("retired");

        private final String text;

        State(String text) {
            this.text = text;
        }

        /** Returns the text for display. */
        public String text() {
            return text;
        }

        /** Returns the name in URLs and style sheets: {@code no-leader}. */
        public String slug() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        /** Returns the state with a {@link #slug()}; empty if there is none. */
        public static Optional<State> of(String slug) {
            return Arrays.stream(values())
                    .filter(state -> state.slug().equals(slug))
                    .findFirst();
        }
    }

    /**
     * Something about a lease that needs attention.
     *
     * @param vacant whether the problem is that no process leads
     * @param text the problem, or what the lease is waiting for
     * @param kind the text without names and numbers; problems of the same kind share one line of the overview
     */
    public record Problem(boolean vacant, String text, String kind) {

        private static final Pattern WORD = Pattern.compile("(\\S+?)([,;:.)]*)(?=\\s|$)");

        /** A number, a version, a time, an object's key, or a name that Kubernetes has made up. */
        private static final Pattern PARTICULAR = Pattern.compile(".*[0-9/].*");

        /** Returns a problem for a text from elsewhere, whose names and numbers have to be detected. */
        static Problem of(boolean vacant, String text) {
            String kind = WORD.matcher(text)
                    .replaceAll(word -> Matcher.quoteReplacement(
                            PARTICULAR.matcher(word.group(1)).matches() ? "…" + word.group(2) : word.group()));
            return new Problem(vacant, text, kind);
        }
    }

    /** Returns the rows of all leases of a snapshot, in its order. */
    public static List<LeaseRow> allOf(CoordinatorSnapshot snapshot) {
        return snapshot.leases().stream()
                .map(lease -> of(lease, snapshot.policy(), snapshot.time()))
                .toList();
    }

    /** Returns the row of a lease. */
    public static LeaseRow of(ElectionView snapshot, ElectionPolicy policy, Instant now) {
        return new Reading(snapshot, policy, now).row();
    }

    /** Returns the id of the row in the page, which is safe for any name. */
    public String id() {
        return "lease-" + URLEncoder.encode(key.namespace() + "/" + key.name(), StandardCharsets.UTF_8);
    }

    /** Returns the namespace for display. */
    public String namespace() {
        return DisplayFormat.text(key.namespace());
    }

    /** Returns the name for display. */
    public String name() {
        return DisplayFormat.text(key.name());
    }

    /** Returns an identity without the name of the lease or its group as a prefix, which would be repeated in all cells of the row. */
    public String withoutName(String identity) {
        return withoutName(DisplayFormat.text(application), identity);
    }

    static String withoutName(String name, String identity) {
        String prefix = name + "-";
        String rest = identity;
        // The protocol adds the prefix once; the pod's name may also begin with it.
        while (rest.startsWith(prefix) && rest.length() > prefix.length()) {
            rest = rest.substring(prefix.length());
        }
        return rest;
    }

    /** Returns the problems other than a missing leader. */
    public List<String> warnings() {
        return problems.stream()
                .filter(problem -> !problem.vacant())
                .map(Problem::text)
                .toList();
    }

    /** Computes the row of one lease. */
    private record Reading(ElectionView snapshot, ElectionPolicy policy, Instant now) {

        LeaseRow row() {
            Lease lease = snapshot.lease();
            if (snapshot.retired()) {
                return retired();
            }
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
                    vacancy,
                    application());
        }

        private LeaseRow retired() {
            return new LeaseRow(
                    snapshot.key(),
                    State.RETIRED,
                    null,
                    vacantSince(),
                    DisplayFormat.text(snapshot.strategy().name()),
                    snapshot.strategy().source().text(),
                    snapshot.candidates().size(),
                    null,
                    List.of(),
                    null,
                    application());
        }

        private String application() {
            LeaseGroup group = snapshot.group();
            return group == null ? snapshot.key().name() : group.name();
        }

        /** Returns whether a process leads. */
        private boolean held() {
            return snapshot.holdingAt(now) == ElectionView.Holding.LEADS;
        }

        /** Returns whether a candidate was elected but hasn't begun its term. */
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

        /**
         * Returns whether an election is in progress. It takes no longer than candidates have to acknowledge; after twice that time,
         * something is wrong.
         */
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

        /** Returns since when a candidate could be elected and begin its term: the lease of a dead leader is held until it expires. */
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
            if (!coordinated()) {
                return Optional.empty();
            }
            return snapshot.candidates().stream()
                    .filter(standing -> standing.answer() != Answer.SILENT)
                    .map(standing -> standing.candidate().identity())
                    .filter(identity -> lease == null || !identity.equals(lease.holder()))
                    .findFirst();
        }

        /** Returns why no process leads. */
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
