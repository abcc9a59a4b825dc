package io.cle.web.view;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The reason why no process leads.
 *
 * @param waitingFor what has to happen before a process leads
 * @param kind that text without names, as {@link LeaseRow.Problem#kind()}
 * @param advice what an administrator can do, in the order in which to try it
 */
public record Vacancy(String waitingFor, String kind, List<String> advice) {

    private static final String RIGHTS =
            "Does its log say that rights are missing? The last two kubectl lines below ask the API server for them.";

    static final Vacancy NO_CANDIDATE = of(
            "a candidate: there is none",
            "Does the application run, and is it ready? It joins as soon as it is what cle.candidate.requires wants, and leads by itself"
                    + " if it runs outside the cluster or with cle.mode=standalone.",
            "Does it name another lease? cle.lease-name (by default spring.application.name) and cle.namespace say which.",
            RIGHTS,
            "If the application is gone for good, delete the lease, and it disappears from this page.");

    /** Returns the vacancy if a candidate was elected but doesn't begin its term. */
    static Vacancy notBegun(String elected) {
        String missing = ", which was elected and hasn't begun its term";
        return new Vacancy(
                DisplayFormat.text(elected + missing),
                "a candidate" + missing,
                List.of(
                        "Look at its pod and at its log: the process hangs, has lost the API server, or may not write the lease.",
                        RIGHTS,
                        "Another candidate is elected if there is one that acknowledges; end the pod if this one stays like this."));
    }

    /** Returns the vacancy if the strategy can't be used. */
    static Vacancy unusableStrategy(String problem, String source) {
        return of(
                DisplayFormat.text(problem),
                "The strategy is " + source + ": change it there. Until then no coordinator elects for the lease.");
    }

    /** Returns the vacancy if no coordinator elects by the strategy. */
    static Vacancy notCoordinated(String strategy, String source) {
        return of(
                "a candidate to take the lease itself: no coordinator elects by " + DisplayFormat.text(strategy),
                "The strategy is " + source + ": change it there if a coordinator is to elect.",
                "Otherwise look at the candidates' logs: one of them has to acquire the lease by itself.");
    }

    /** Returns the vacancy if no candidate acknowledges. */
    static Vacancy allSilent(int candidates) {
        return of(
                "a candidate that acknowledges: none of " + candidates + " does",
                "Look at the candidates' pods and logs: they hang, have lost the API server, or may not watch and patch their candidate.",
                RIGHTS,
                "Is there an Event CandidateNotPinged on the lease? Then this coordinator may not patch candidates.",
                "The candidate of a dead process remains until its validity expires. The first candidate that renews is elected.");
    }

    /**
     * Returns the vacancy if the election is not decided.
     *
     * @param reason the reason of the last decision; {@code null} if there was none
     */
    static Vacancy undecided(@Nullable String reason) {
        return reason == null
                ? of(
                        "the coordinator's decision",
                        "Does a replica coordinate? If this is a standby, look at the page of the one that does.",
                        "If none does, look at the coordinator's readiness and log. Candidates take the lease themselves after"
                                + " cle.fallback.delay, unless cle.fallback.enabled is false.")
                : of(
                        "the election: " + DisplayFormat.text(reason),
                        "If this stays, look at the warnings above and the Events of the lease: a decision that can't be written says why"
                                + " (a right, a quota, an admission policy).",
                        "Look at the log of the candidate that is ranked first.");
    }

    private static Vacancy of(String waitingFor, String... advice) {
        return new Vacancy(waitingFor, LeaseRow.Problem.of(true, waitingFor).kind(), List.of(advice));
    }

    LeaseRow.Problem problem() {
        return new LeaseRow.Problem(true, "waiting for " + waitingFor, "waiting for " + kind);
    }
}
