package io.cle.election.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Moment;
import io.cle.model.internal.ResourceVersions;
import org.jspecify.annotations.Nullable;

/**
 * The observed candidates of one lease, or of all shards of a group together. Confined to the event loop. Rule: {@code
 * protocol.md#requests-and-limits}.
 */
final class CandidateTable {

    private final Map<ObjectKey, CandidateObservation> candidates = new HashMap<>();

    /** When to retry the deletion of expired candidates. */
    private final Map<ObjectKey, Long> kept = new HashMap<>();

    /** The candidates that have withdrawn from some of the shards. */
    private final Set<ObjectKey> partial = new HashSet<>();

    /** Notes a candidate. Older versions of a known candidate are ignored. */
    void seen(Candidate candidate, Moment now, boolean live) {
        CandidateObservation known = candidates.get(candidate.key());
        if (known != null
                && ResourceVersions.older(
                        candidate.resourceVersion(), known.candidate().resourceVersion())) {
            return;
        }
        candidates.put(
                candidate.key(),
                known == null ? CandidateObservation.first(candidate, now, live) : known.seen(candidate, now));
        LeaseGroup group = candidate.group();
        if (group != null && candidate.leases().size() < group.shards()) {
            partial.add(candidate.key());
        } else {
            partial.remove(candidate.key());
        }
    }

    void remove(ObjectKey candidate) {
        candidates.remove(candidate);
        kept.remove(candidate);
        partial.remove(candidate);
    }

    void pinged(Candidate candidate, Moment now) {
        candidates.computeIfPresent(candidate.key(), (unused, known) -> known.pinged(now));
    }

    void notPinged(Candidate candidate) {
        candidates.computeIfPresent(candidate.key(), (unused, known) -> known.notPinged());
    }

    /** Notes that a holder was replaced without having released the lease. If it comes back, it may fail again. */
    void failed(String holder, Moment now) {
        candidates.replaceAll(
                (unused, known) -> known.candidate().identity().equals(holder) ? known.presentAnew(now) : known);
    }

    /** Postpones the deletion of an expired candidate. It stays expired, so it isn't elected. */
    void keep(ObjectKey candidate, long until) {
        kept.put(candidate, until);
    }

    // ---- queries -------------------------------------------------------------------------------------------------

    Collection<CandidateObservation> all() {
        return candidates.values();
    }

    /** Returns the candidates that can lead a shard, in a table of candidates for shards. */
    Collection<CandidateObservation> of(ObjectKey shard) {
        if (partial.isEmpty()) {
            return all();
        }
        List<CandidateObservation> able = new ArrayList<>(candidates.size());
        candidates.forEach((key, known) -> {
            if (!partial.contains(key) || known.candidate().canLead(shard)) {
                able.add(known);
            }
        });
        return able;
    }

    /** Whether a candidate has withdrawn from some shard, so that shards have different candidates. */
    boolean hasWithdrawals() {
        return !partial.isEmpty();
    }

    @Nullable
    CandidateObservation find(ObjectKey candidate) {
        return candidates.get(candidate);
    }

    /** Returns when an expired candidate is to be deleted unless it renews. */
    long removableAt(CandidateObservation candidate) {
        return Math.max(
                candidate.expiresAt(), kept.getOrDefault(candidate.candidate().key(), Long.MIN_VALUE));
    }
}
