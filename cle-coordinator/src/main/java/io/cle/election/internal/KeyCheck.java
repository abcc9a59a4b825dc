package io.cle.election.internal;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

import io.cle.election.internal.LeaseReconciler.Outcome;
import io.cle.election.internal.shards.KeyOwnership;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.loop.internal.Clock;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.Moment;

/**
 * Determines which family of leases owns a key, and closes the leases of all others: lists the leases of the key, writes what {@link KeyOwnership}
 * requires, and repeats this until nothing is required. Confined to the event loop. Rule: {@code safety.md#one-owner-of-each-key}.
 */
final class KeyCheck {

    /** How many leases are written at a time. */
    private static final int AT_ONCE = 8;

    /** The maximum number of lists per check; one suffices unless something was written. */
    private static final int LISTS = 4;

    private final LeaseClient leases;
    private final LeaseTable known;
    private final Duration again;
    private final Clock clock;
    private final BooleanSupplier coordinating;

    /**
     * Creates an instance that hasn't sent any request.
     *
     * @param again how long a check is valid that has found no owner
     * @param coordinating whether writes are allowed
     */
    KeyCheck(LeaseClient leases, LeaseTable known, Duration again, Clock clock, BooleanSupplier coordinating) {
        this.leases = leases;
        this.known = known;
        this.again = again;
        this.clock = clock;
        this.coordinating = coordinating;
    }

    /**
     * Checks a key. Its former owner is discarded first: the lists don't show a grant that is sent after them. The stage doesn't fail.
     */
    CompletionStage<Outcome> run(KeyEntry key) {
        key.doubt();
        return list(key, LISTS);
    }

    private CompletionStage<Outcome> list(KeyEntry key, int lists) {
        if (lists == 0) {
            return CompletableFuture.completedStage(Outcome.FAILED);
        }
        int doubts = key.doubts();
        Map<ObjectKey, Lease> before = known.leasesOf(key);
        return leases.ofKey(key.key()).thenCompose(result -> {
            if (!(result instanceof ApiResult.Ok<List<Lease>> ok)) {
                return failed(key, "its leases can't be listed: " + result.describe());
            }
            known.listed(key, ok.value(), before);
            return doubts == key.doubts() ? settle(key, true, lists - 1) : list(key, lists - 1);
        });
    }

    /**
     * Writes the remaining leases, a few at a time.
     *
     * @param listed whether all leases were listed, and nothing was written since
     */
    private CompletionStage<Outcome> settle(KeyEntry key, boolean listed, int lists) {
        Moment now = clock.now();
        Set<Integer> held = known.heldOf(key, now);
        int owner = KeyOwnership.owner(known.candidatesOf(key, again, now), held, known.formerOwner(key));
        if (owner == KeyOwnership.NOBODY || (owner == KeyOwnership.PLAIN && held.contains(owner))) {
            key.blocked("other leases of " + key.key() + " may have a leader", now.plus(again));
            return CompletableFuture.completedStage(Outcome.DONE);
        }
        List<Lease> writes = KeyOwnership.writes(key.key(), owner, known.leasesOf(key), known.othersOf(key));
        if (writes.isEmpty()) {
            if (!listed) {
                return list(key, lists);
            }
            key.owned(
                    owner,
                    "its keys belong to " + key.describe(owner)
                            + " until none of these is held and most candidates are for others");
            known.ownerKnown(key);
            return CompletableFuture.completedStage(Outcome.DONE);
        }
        if (!coordinating.getAsBoolean()) {
            return failed(key, "another replica coordinates");
        }
        CompletionStage<String> problem = CompletableFuture.completedStage("");
        for (Lease lease : writes.subList(0, Math.min(AT_ONCE, writes.size()))) {
            problem = problem.thenCombine(write(lease), (first, next) -> first.isEmpty() ? next : first);
        }
        return problem.thenCompose(first -> first.isEmpty() ? settle(key, false, lists) : failed(key, first));
    }

    /** Writes one lease; returns a problem, or an empty string. The next check repeats only the writes that have failed. */
    private CompletionStage<String> write(Lease lease) {
        boolean creates = lease.resourceVersion() == null;
        return (creates ? leases.create(lease) : leases.write(lease)).thenApply(result -> {
            if (result instanceof ApiResult.Ok<Lease> ok) {
                known.written(ok.value(), creates);
                return "";
            }
            return "the Lease " + lease.key() + " can't be closed: " + result.describe();
        });
    }

    private static CompletionStage<Outcome> failed(KeyEntry key, String problem) {
        key.failed(problem);
        return CompletableFuture.completedStage(Outcome.FAILED);
    }
}
