package io.cle;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.cle.lock.internal.LockConfig;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.strategy.BuiltInStrategy;
import org.jspecify.annotations.Nullable;

/** What a lock knows at an instant, for endpoints, health and logs. Immutable. Locks implement it; later versions may add methods. */
public interface LockSnapshot {

    /** The lease. */
    ObjectKey lease();

    /** The identity of this process as a candidate. */
    String identity();

    /** Whether a coordinator elects; otherwise candidates race for the lease. */
    boolean coordinated();

    /** The three durations. */
    Timings timings();

    /** What this process is for the lease. */
    Role role();

    /** The running term of this process; {@code null} if it doesn't lead. */
    @Nullable
    Leading leading();

    /** The lease as this process has seen it last. */
    Observed observed();

    /** The candidate that this process has announced, as it is in the cluster; {@code null} without one. */
    @Nullable
    Candidate candidate();

    /**
     * Why no coordinator can elect this process, so that it races for a coordinated lease at once; {@code null} if one can, as far as is known,
     * and for a direct lock.
     */
    @Nullable
    String uncoordinated();

    /** Which requests the API server answers. */
    Contacts contacts();

    /** What happened last, oldest first. */
    List<HistoryEntry> history();

    /** How long renewals and hand-overs have taken, for meters. */
    Measurements measurements();

    /**
     * Returns whether this process leads a coordinated lease that it has raced for, because no coordinator has elected it; false if the candidate
     * or the lease asks for {@code NoCoordination}.
     */
    default boolean raced() {
        String none = BuiltInStrategy.NO_COORDINATION.wireName();
        Candidate candidate = candidate();
        return coordinated()
                && leading() != null
                && LockConfig.Fallback.ELECTED_BY.equals(observed().electedBy())
                && !none.equals(observed().strategy())
                && (candidate == null || !none.equals(candidate.strategy()));
    }

    /**
     * The running term of this process.
     *
     * @param fencingToken its token
     * @param validFor how long this process may still lead without another renewal
     */
    record Leading(long fencingToken, Duration validFor) {}

    /** A lease as it was seen last. What it doesn't say is {@code null}. */
    interface Observed {

        /** The holder. */
        @Nullable
        String holder();

        /** When the holder acquired the lease, by its clock. */
        @Nullable
        Instant acquireTime();

        /** When the holder last renewed, by its clock. */
        @Nullable
        Instant renewTime();

        /** Who has elected the holder: a coordinator, or {@code candidate-fallback} if it has raced for the lease. */
        @Nullable
        String electedBy();

        /** The strategy on the lease. */
        @Nullable
        String strategy();

        /** How often the holder has changed. */
        int transitions();

        /** Whether the holder has been asked to yield. */
        boolean endOfTerm();

        /** The candidate that it is asked to yield to. */
        @Nullable
        String preferredHolder();
    }

    /**
     * Which requests the API server answers.
     *
     * @param apiServer those of this lock together
     * @param candidacy whether the candidate is announced and watched, or could be before it was withdrawn; {@code null} for a direct lock, and
     *     while no candidates are served
     * @param writes whether the lease takes this process's writes; {@code null} while it has sent none, or another process writes it
     */
    record Contacts(
            Contact apiServer,
            @Nullable Contact candidacy,
            @Nullable Contact writes) {

        /** Of a lock that needs no API server. */
        public static Contacts unneeded(Instant since) {
            return new Contacts(new Contact(true, since, null), null, null);
        }
    }

    /**
     * Whether the API server answers, in all or to one kind of request.
     *
     * @param ok whether the last request or watch event succeeded; false before the first one
     * @param since since when that is so
     * @param problem what went wrong last; {@code null} when nothing did
     */
    record Contact(boolean ok, Instant since, @Nullable String problem) {}

    /**
     * What has been counted and timed since the lock was made.
     *
     * @param renewals renewals of the lease that have succeeded, from sending to answer
     * @param failedRenewals renewals of the lease that have failed, or whose outcome is unknown
     * @param drains from the end of a term until its work has ended
     * @param handOvers from the end of a term until the lease was handed over or released
     */
    record Measurements(Timed renewals, long failedRenewals, Timed drains, Timed handOvers) {

        /** Nothing yet, and all there is for a lock without a lease in a cluster. */
        public static final Measurements NONE = new Measurements(Timed.NONE, 0, Timed.NONE, Timed.NONE);
    }

    /**
     * How often something has happened, and how long that has taken in all.
     *
     * @param count how often
     * @param total how long in all
     */
    record Timed(long count, Duration total) {

        /** Never. */
        public static final Timed NONE = new Timed(0, Duration.ZERO);

        /** Once more. */
        public Timed and(Duration once) {
            return new Timed(count + 1, total.plus(once));
        }
    }

    /** Something worth remembering. */
    record HistoryEntry(Instant time, String what) {}
}
