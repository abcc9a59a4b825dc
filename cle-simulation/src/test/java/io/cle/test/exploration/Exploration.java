package io.cle.test.exploration;

import java.time.Duration;
import java.util.function.IntFunction;

import io.cle.Timings;
import io.cle.test.exploration.Move.Edit;
import io.cle.test.exploration.Move.Kind;
import io.cle.test.exploration.Setting.Begin;
import io.cle.test.exploration.Setting.Cluster;

/**
 * Explorations that are directed at one family of rules: they begin where it matters, with only the faults that concern it. So few states are
 * left that all histories are followed, including those with several faults in one order, which random seeds hardly ever find.
 * {@code MutationExplorationTest} runs mutations in them.
 */
enum Exploration {
    /** Processes start, and see a term begin or don't: one fault of any kind. */
    FIRST_START(Setting.of(Cluster.RACE, 1).from(Begin.FIRST_START)),

    /** How a process treats a term whose beginning it missed, and whose record an edit has left in part. */
    UNSEEN_TERMS(Setting.of(Cluster.RACE, 2)
            .from(Begin.FIRST_START)
            .withClocksAtTheLimit()
            .only()
            .edits(Edit.CLEAR_HOLDER, Edit.DELETE, Edit.SHORTEN_DURATION)),

    /** A process that wants to create the lease finds it there, and learns no more before an administrator deletes it. */
    REFUSED_CREATION(Setting.of(Cluster.RACE, 3)
            .from(Begin.FIRST_START)
            .only(Kind.LOSE, Kind.SILENCE)
            .edits(Edit.DELETE)
            .eachOnce()
            .within(4)),

    /** An elector that keeps none of our rules acquires a lease that an administrator has emptied, and releases it. */
    ELECTOR_GOES(Setting.of(Cluster.RACE, 3)
            .only(Kind.PAUSE)
            .edits(Edit.CLEAR_HOLDER, Edit.ELECTOR_COMES_AND_GOES)
            .eachOnce()
            .within(3)),

    /**
     * While the leader doesn't answer, an administrator names such an elector as the holder. It follows the edit, which another process misses,
     * renews the lease and releases it.
     */
    ELECTOR_IS_NAMED(Setting.of(Cluster.RACE, 4)
            .withTimings(Exploration.seconds(4, 3, 1), Exploration.seconds(4, 3, 1))
            .only(Kind.PAUSE, Kind.BREAK_WATCH)
            .edits(Edit.NAME_ELECTOR, Edit.ELECTOR_COMES_AND_GOES)
            .eachOnce()
            .within(2)),

    /** It acquires the lease, and crashes. */
    ELECTOR_CRASHES(false, Setting.of(Cluster.RACE, 3).only().edits(Edit.CLEAR_HOLDER, Edit.ELECTOR_ACQUIRES)),

    /** A process that doesn't answer leads while its record is emptied or deleted. */
    EDITED_UNSEEN(
            false,
            Setting.of(Cluster.RACE, 2)
                    .only(Kind.PAUSE)
                    .edits(Edit.CLEAR_HOLDER, Edit.DELETE)
                    .eachOnce()),

    /** While the leader doesn't answer, its record is replaced by an empty one, or loses fields. */
    BARE_OBJECTS(Setting.of(Cluster.RACE, 2)
            .only(Kind.PAUSE)
            .edits(
                    Edit.REPLACE_BY_BARE,
                    Edit.RECREATE_BARE,
                    Edit.REMOVE_SPEC,
                    Edit.REMOVE_ACQUIRE_TIME,
                    Edit.REMOVE_RENEW_TIME,
                    Edit.END_CLAIMS_OF_OLD)
            .eachOnce()
            .within(3)),

    /** While the leader doesn't answer, its term annotation is edited; it has repeated the edit, or not. */
    EDITED_TERMS(Setting.of(Cluster.RACE, 2)
            .withTimings(Exploration.seconds(4, 3, 1), Exploration.seconds(4, 3, 1))
            .only(Kind.PAUSE)
            .edits(Edit.SHORTEN_TERM, Edit.LINE_IN_TERM)
            .within(6)),

    /** The lease is deleted, put back and deleted again, or replaced, and no process has seen all of it. */
    UNSEEN_DELETIONS(
            false,
            Setting.of(Cluster.RACE, 5)
                    .withClocksAtTheLimit()
                    .only(Kind.SILENCE)
                    .edits(Edit.DELETE, Edit.RECREATE_TERM, Edit.RECREATE_BARE)
                    .within(2)),

    /** The record of an earlier term, or of its release, is put back while another process leads and doesn't answer. */
    EARLIER_COPIES(Setting.of(Cluster.RACE, 3)
            .withProcesses(3)
            .only(Kind.RESIGN, Kind.PAUSE)
            .edits(Edit.PUT_BACK_TERM, Edit.PUT_BACK_RELEASE, Edit.RECREATE_RELEASE)
            .eachOnce()
            .within(2)),

    /** An earlier record of the running term is put back, which hides renewals from a process that has missed them. */
    HIDDEN_RENEWALS(Setting.of(Cluster.RACE, 3)
            .from(Begin.FIRST_LEADS)
            .withClocksAtTheLimit()
            .only(Kind.SILENCE, Kind.PAUSE)
            .edits(Edit.PUT_BACK_TERM)
            .eachOnce()
            .within(2)),

    /** A grant is put back after the process that was granted the lease has left, while another one leads. */
    EARLIER_GRANTS(
            false,
            Setting.of(Cluster.COORDINATED, 3)
                    .only(Kind.RESIGN, Kind.PAUSE)
                    .edits(Edit.PUT_BACK_GRANT, Edit.RECREATE_GRANT)
                    .eachOnce()
                    .within(5)),

    /** A holder that doesn't exist has the lease for decades, and an administrator tries what helps, in every order. */
    GHOST_LEASE(Setting.of(Cluster.RACE, 3)
            .from(Begin.GHOST_LEASE)
            .only(Kind.BREAK_WATCH)
            .edits(
                    Edit.SHORTEN_DURATION,
                    Edit.CORRECT_DURATION,
                    Edit.CLEAR_HOLDER,
                    Edit.DELETE,
                    Edit.REMOVE_SPEC,
                    Edit.REPLACE_BY_BARE,
                    Edit.END_CLAIMS)
            .eachOnce()
            .within(2)),

    /** A process whose lease lasts for decades crashes, and an administrator tries what helps before the documented line. */
    LONG_TERM(Setting.of(Cluster.RACE, 3)
            .withTimings(Exploration.seconds(Setting.LONGEST, Setting.LONGEST - 1, 1), Setting.TIMINGS)
            .from(Begin.FIRST_LEADS)
            .only(Kind.CRASH)
            .edits(Edit.CLEAR_HOLDER, Edit.DELETE, Edit.REPLACE_BY_BARE)
            .eachOnce()
            .within(1)),

    /** A holder that doesn't answer is preempted, and so is the one that has preempted it. */
    PREEMPTION(Setting.of(Cluster.PRIORITIZED, 0)
            .withProcesses(3)
            .from(Begin.FIRST_PAUSES)
            .withTimings(Exploration.seconds(5, 4, 1), Exploration.seconds(5, 4, 1))
            .within(2)),

    /** A holder yields, or is preempted, while requests are lost and processes pause. */
    TAKEOVER(false, Setting.of(Cluster.PRIORITIZED, 1).from(Begin.FIRST_LEADS).within(5)),

    /** An answer comes late, or the process that waits for it does. */
    LATE_ANSWERS(Setting.of(Cluster.RACE, 2)
            .withClocksAtTheLimit()
            .only(Kind.DELAY, Kind.PAUSE)
            .eachOnce()
            .within(4)),

    /** Processes are stopped and started again, while one pauses. */
    STOPS(Setting.of(Cluster.RACE, 2).only(Kind.STOP, Kind.PAUSE).eachOnce().within(4)),

    /** The API server no longer serves the API in use, and processes start over, while one pauses or its watch breaks. */
    STARTS_OVER(Setting.of(Cluster.RACE, 2)
            .only(Kind.REPLACE_API, Kind.PAUSE, Kind.BREAK_WATCH)
            .eachOnce()
            .within(5)),

    /** Applications are unfit to lead, and fit again. */
    UNFIT(Setting.of(Cluster.COORDINATED, 2).only(Kind.UNFIT).within(5)),

    /** The holder's lease is twice as long as the others'. */
    TIMINGS_OF_ITS_OWN(Setting.of(Cluster.RACE, 1).withTimings(Exploration.seconds(6, 5, 1), Setting.TIMINGS)),

    /** A worse candidate leads when a better one comes, and an administrator names that one, or removes what the coordinator wrote. */
    BETTER_CANDIDATE(Setting.of(Cluster.COORDINATED, 1)
            .from(Begin.FIRST_LEADS)
            .only()
            .edits(Edit.NAME_B, Edit.REMOVE_ALL_ANNOTATIONS)),

    /** The lease is deleted, and granted anew by a coordinator that has never seen the term before. */
    CREATED_ANEW(Setting.of(Cluster.COORDINATED, 2)
            .from(Begin.FIRST_LEADS)
            .only(Kind.REPLACE_COORDINATOR)
            .edits(Edit.DELETE)
            .eachOnce()
            .within(1)),

    /** A process is copied with its memory, its clocks and its nonce. */
    COPIES(Setting.of(Cluster.RACE, 1).withCopies()),

    /** Two processes have one identity, from before their first start. */
    TWINS(Setting.of(Cluster.RACE, 1).from(Begin.FIRST_START).withTwins()),

    /** The candidacy, without a lock. */
    CANDIDACY(
            true,
            mostStates -> new Explorer<>(
                            "one candidacy, 2 faults, within 2 ticks",
                            new CandidacyModel(2, 2),
                            CandidacyModel.GOAL_WITHIN,
                            mostStates)
                    .run()),

    /** A lease with shards, and a change of their number; of histories rather than of states, which take a hundred times as long. */
    SHARDS(true, mostStates -> ShardHistories.explore(1, mostStates / 100)),

    /** The same with two faults. */
    SHARDS_WITH_TWO_FAULTS(false, mostStates -> ShardHistories.explore(2, mostStates / 100));

    private final boolean inEachBuild;
    private final IntFunction<Explorer.Result> run;

    Exploration(Setting setting) {
        this(true, setting);
    }

    Exploration(boolean inEachBuild, Setting setting) {
        this(inEachBuild, mostStates -> Explorer.explore(setting, mostStates));
    }

    Exploration(boolean inEachBuild, IntFunction<Explorer.Result> run) {
        this.inEachBuild = inEachBuild;
        this.run = run;
    }

    /** Whether each build follows all of its histories; it takes a few seconds. */
    boolean inEachBuild() {
        return inEachBuild;
    }

    /**
     * Explores.
     *
     * @param mostStates after how many states it ends, complete or not
     */
    Explorer.Result explore(int mostStates) {
        return run.apply(mostStates);
    }

    private static Timings seconds(int leaseDuration, int renewDeadline, int retryPeriod) {
        return new Timings(
                Duration.ofSeconds(leaseDuration), Duration.ofSeconds(renewDeadline), Duration.ofSeconds(retryPeriod));
    }
}
