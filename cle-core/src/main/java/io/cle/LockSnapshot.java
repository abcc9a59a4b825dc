package io.cle;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.strategy.BuiltInStrategy;
import org.jspecify.annotations.Nullable;

/** The state of a lock at an instant, for endpoints, health and logs. Immutable. Implemented by locks only; later versions may add methods. */
public interface LockSnapshot {

    /** Returns the lease. */
    ObjectKey lease();

    /** Returns the identity of this process as a candidate. */
    String identity();

    /** Returns whether a coordinator elects; otherwise candidates race for the lease. */
    boolean coordinated();

    /** Returns the three durations. */
    Timings timings();

    /** Returns the role of this process for the lease. */
    Role role();

    /** Returns the current term of this process; {@code null} if it doesn't lead. */
    @Nullable
    Leading leading();

    /** Returns the lease as last observed by this process. */
    Observed observed();

    /** Returns the candidate of this process as it is stored in the cluster; {@code null} if there is none. */
    @Nullable
    Candidate candidate();

    /**
     * Returns why no coordinator can elect this process, in which case it races for a coordinated lease at once. {@code null} if nothing is
     * known to prevent it, and for a direct lock.
     */
    @Nullable
    String uncoordinated();

    /** Returns the key by which this process takes precedence on a direct lock (KEP-2835); {@code null} without prioritized election. */
    @Nullable
    String key();

    /** Returns which kinds of requests the API server answers. */
    Contacts contacts();

    /** Returns the most recent events, oldest first. */
    List<HistoryEntry> history();

    /** Returns how long renewals and hand-overs have taken, for meters. */
    Measurements measurements();

    /**
     * Returns whether this process leads a coordinated lease that it acquired in a race because no coordinator elected. False if the
     * candidate or the lease asks for {@code NoCoordination}.
     */
    default boolean raced() {
        String none = BuiltInStrategy.NO_COORDINATION.wireName();
        Candidate candidate = candidate();
        return coordinated()
                && leading() != null
                && Candidate.FALLBACK.equals(observed().electedBy())
                && !none.equals(observed().strategy())
                && (candidate == null || !none.equals(candidate.strategy()));
    }

    /**
     * The current term of this process.
     *
     * @param fencingToken its token
     * @param validFor how long this process may still lead without another renewal
     */
    record Leading(long fencingToken, Duration validFor) {}

    /** A lease as last observed. Absent fields are {@code null}. */
    interface Observed {

        /** Returns the holder. */
        @Nullable
        String holder();

        /** Returns when the holder acquired the lease, by its clock. */
        @Nullable
        Instant acquireTime();

        /** Returns when the holder last renewed, by its clock. */
        @Nullable
        Instant renewTime();

        /**
         * Returns who elected the holder: a coordinator, {@code candidate-fallback} if the holder raced for the lease, or
         * {@code candidate-hand-over} if the previous leader named it as its successor when it resigned.
         */
        @Nullable
        String electedBy();

        /** Returns the strategy on the lease. */
        @Nullable
        String strategy();

        /** Returns how often the holder has changed. */
        int transitions();

        /** Returns whether the holder has been asked to yield. */
        boolean endOfTerm();

        /** Returns the candidate that the holder is asked to yield to. */
        @Nullable
        String preferredHolder();

        /** Returns the holder's key (KEP-2835). */
        @Nullable
        String holderKey();
    }

    /**
     * Which kinds of requests the API server answers.
     *
     * @param apiServer all requests of this lock
     * @param candidacy requests that announce and watch the candidate; after a withdrawal, their last state. {@code null} for a direct
     *     lock, and while the API server serves no candidates
     * @param writes this process's writes of the lease; {@code null} if it has sent none, or while another process writes the lease
     */
    record Contacts(
            Contact apiServer,
            @Nullable Contact candidacy,
            @Nullable Contact writes) {

        /** Returns the contacts of a lock that needs no API server. */
        public static Contacts unneeded(Instant since) {
            return new Contacts(new Contact(true, since, null), null, null);
        }
    }

    /**
     * Whether the API server answers one kind of request, or all of them.
     *
     * @param ok whether the last request or watch event succeeded; false before the first one
     * @param since when {@code ok} last changed
     * @param problem the last failure; {@code null} if there was none
     */
    record Contact(boolean ok, Instant since, @Nullable String problem) {

        /** The problem of a lock that hasn't joined the election, and therefore sends no requests. */
        public static final String NOT_ASKED = "not asked yet: this process hasn't joined the election";

        /** Returns whether the lock sends requests; false before it joins the election, and after a failing lock was stopped. */
        public boolean asked() {
            return !NOT_ASKED.equals(problem);
        }
    }

    /**
     * Counts and durations since the lock was created.
     *
     * @param renewals renewals of the lease that have succeeded, from sending to answer
     * @param failedRenewals renewals of the lease that have failed, or whose outcome is unknown
     * @param handOvers from the end of a term until the lease was handed over or released
     */
    record Measurements(Timed renewals, long failedRenewals, Timed handOvers) {

        /** No measurements: for a lock that has just been created, or that has no lease in a cluster. */
        public static final Measurements NONE = new Measurements(Timed.NONE, 0, Timed.NONE);
    }

    /**
     * How often something has happened, and how long it has taken in total.
     *
     * @param count how often
     * @param total the total duration
     */
    record Timed(long count, Duration total) {

        /** No occurrences. */
        public static final Timed NONE = new Timed(0, Duration.ZERO);

        /** Returns this with one more occurrence added. */
        public Timed and(Duration once) {
            return new Timed(count + 1, total.plus(once));
        }
    }

    /** One event in the history of a lock. */
    record HistoryEntry(Instant time, String what) {}
}
