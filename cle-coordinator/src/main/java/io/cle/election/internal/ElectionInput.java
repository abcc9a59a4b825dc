package io.cle.election.internal;

import java.util.List;
import java.util.Set;

import io.cle.model.ObjectKey;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;

/**
 * All that a decision depends on.
 *
 * @param key the lease that it is about
 * @param lease what has been seen of the lease
 * @param candidates those that count (safety.md#own-namespace) and haven't expired, in any order
 * @param ambiguousNames names that candidates of several namespaces bear, whether they count or not
 * @param strategy by which to elect
 * @param lastHolder who holds the lease, or held it last, by what has been seen
 * @param holderPod what a look at the holder's pod has shown
 * @param holdOffs which candidates were elected and didn't begin their terms
 * @param now the moment of the decision
 */
public record ElectionInput(
        ObjectKey key,
        LeaseObservation lease,
        List<CandidateObservation> candidates,
        Set<String> ambiguousNames,
        StrategyChoice strategy,
        LastHolder lastHolder,
        HolderPod holderPod,
        HoldOffs holdOffs,
        ElectionPolicy policy,
        Moment now) {}
