package io.cle.lock.internal;

import java.time.Duration;
import java.util.Objects;

import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import org.jspecify.annotations.Nullable;

/** The texts of a lock's warnings. */
final class LockNotices {

    private static final String CHECK_COORDINATOR = "Check that a coordinator runs and is healthy, that it watches this"
            + " namespace (cle.coordinator.namespaces), and what its /actuator/elections says of the lease";

    private LockNotices() {}

    static String twinOf(LockConfig config) {
        return "another live process has the identity '" + config.identity()
                + "' and renews the lease: a copy of this one, or one that was configured alike. They lead one at a"
                + " time, but no reader of the lease can tell which of them; give each an identity of its own";
    }

    static String plainTwinOf(LockConfig config) {
        return "another writer renews the lease in the name of this process, '" + config.identity()
                + "': probably an elector, such as client-go's, that was configured with the same identity and also"
                + " believes that it leads. Give each process an identity of its own";
    }

    static String smallerToken(long token, long largestToken) {
        return "the fencing token " + token + " of this term is smaller than " + largestToken
                + ", which this process has seen for this lease: the API server's history has begun anew. Receivers"
                + " that remember a larger token refuse this leader's requests until they are reset";
    }

    static String suspended(Duration ahead, Duration margin) {
        return "the wall clock has moved ahead of the monotonic one by " + ahead.toMillis()
                + " ms since the last renewal, more than lease duration minus renew deadline (" + margin.toMillis()
                + " ms): the machine may have been suspended while the lease ran out, and the term is over";
    }

    static String newHistory(Duration wait) {
        return "the API server's history has begun anew from an earlier state, as after a restore of etcd from a"
                + " backup; this process begins no term for " + wait.toMillis()
                + " ms, because one of the former history may still run";
    }

    static String olderRead(Lease read, @Nullable String known, Duration wait) {
        return "the lease was read in version " + read.resourceVersion() + ", although version " + known
                + " was known; reading once more in " + wait.toMillis()
                + " ms, to tell whether etcd was restored from a backup";
    }

    static String loss(@Nullable Lease lease, String identity) {
        if (lease == null) {
            return "the lease was deleted while this process led by it";
        }
        if (!lease.held()) {
            return "another writer has removed the holder from the lease while this process led by it";
        }
        return lease.heldBy(identity)
                ? "the lease still names this process, but the record is no longer that of its term: another writer"
                        + " has changed acquireTime or the term annotation, or another process has the same identity"
                : "the lease is held by '" + lease.holder() + "' now, and no longer by this process";
    }

    static String contradiction(LockConfig.Takeover takeover, Lease held, int yields, Duration holdOff) {
        return "yielded " + yields + " times in a row soon after it began to lead (key '" + takeover.key()
                + "', the successor's '" + held.preferredKey()
                + "'); "
                + (Preemption.comparisonsDiffer(takeover, held)
                        ? "the candidates' comparisons contradict each other"
                        : "that candidate restarts often, or the comparisons of three candidates contradict each other")
                + ". It asks no holder to yield for " + holdOff;
    }

    /** This process was asked to yield by a key that its own comparison doesn't prefer: by the asking one's it does. */
    static String comparisonsDiffer(LockConfig.Takeover takeover, Lease held) {
        return "'" + held.preferredHolder() + "' has asked this process to yield, but its key '" + held.preferredKey()
                + "' doesn't take precedence over '" + takeover.key()
                + "' by this process's comparison: the replicas compare keys differently, or one reads the other's as"
                + " no key. Set the same cle.candidate.key-comparison (or KeyComparison bean) on all of them";
    }

    static String preempted(Lease held) {
        return "the holder '" + held.holder()
                + "' was asked to yield to a higher key and has not; it is preempted, and its last renewal is waited"
                + " out";
    }

    static String transitionsExhausted(Lease desired) {
        return "leaseTransitions is " + desired.transitions()
                + ", the largest number that the API server accepts; it stays there. Set it to 0 while no process"
                + " leads to have it count again";
    }

    /** No coordinator has elected a candidate for a free lease that nobody races for. */
    static String vacant(LockConfig config) {
        return "no process has led for " + config.fallback().delay().toSeconds()
                + " s, because no coordinator has elected a candidate, and " + nobodyRaces(config) + ". "
                + CHECK_COORDINATOR;
    }

    /** The lease belongs to another family of leases. */
    static String closed(LockConfig config, Lease lease) {
        return "waits, because the Lease says that " + lease.owner() + " own the keys of " + config.lease()
                + ": a process leads it again once the last process with shards has stopped. If none runs, "
                + "check that a coordinator does";
    }

    /** No coordinator elects, and only a coordinator could know that no shard of the lease has a leader. */
    static <T> ApiResult<T> shards(LockConfig config, Candidate candidate) {
        return new ApiResult.Refused<>(
                ApiResult.Refused.NONE,
                "'" + candidate.identity() + "' is a candidate for "
                        + Objects.requireNonNull(candidate.group()).shards() + " shards of " + config.lease()
                        + ", which may have leaders; nobody races for the lease without shards before that candidate has gone. "
                        + CHECK_COORDINATOR,
                null);
    }

    /** This process has acquired the lease by the fallback, although candidates are served. */
    static String nobodyCoordinated(LockConfig config) {
        return "nobody has coordinated namespace " + config.lease().namespace()
                + ": no coordinator has elected a candidate for the lease within the fallback's delay of "
                + config.fallback().delay().toSeconds() + " s, so this process has raced for it and leads. "
                + CHECK_COORDINATOR + "; to race for good, set cle.resource-lock=leases";
    }

    /** Says why candidates wait for a coordinator however long it takes. */
    static String nobodyRaces(LockConfig config) {
        LeaseGroup group = config.group();
        if (group == null) {
            return "nobody races for the lease, because the fallback is switched off";
        }
        return group.isSharded() ? "nobody races for a shard" : "nobody races for a lease of a group";
    }

    static String undrained(LockConfig config) {
        return "the work of the ended term hasn't stopped within the drain timeout of " + config.drainTimeout()
                + "; going on without waiting for it";
    }

    /** A process that doesn't lead is stopped while it doesn't know whether it holds the lease. */
    static String stopsLater(Duration wait) {
        return "stops once it knows whether its last attempt to acquire the lease has succeeded, so that it can release"
                + " the lease, or in " + (wait.toSeconds() + 1) + " s, when that attempt has run out";
    }

    /** The answer to an acquiring write that came too late to begin a term. */
    static String acquiredTooLate(Duration took) {
        return "the acquiring write took " + took + ", longer than the renew deadline; acquiring again";
    }
}
