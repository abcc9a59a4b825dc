package io.cle.election.internal;

import java.time.Instant;

import io.cle.model.Candidate;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import org.jspecify.annotations.Nullable;

/**
 * What a coordinator writes into the lease: the records themselves, without the question when.
 * Rule: {@code safety.md#grant-or-end-of-term}.
 */
final class ElectionWrites {

    /** Who elects, on the lease: the name that KEP-4355 gives the controller. */
    static final String ELECTED_BY = "coordinated-election-controller";

    private ElectionWrites() {}

    /** Returns the lease with its new holder, freshly renewed and with the term annotation of a grant. The holder leads once it has replaced that annotation by its own. */
    static Lease elected(ElectionInput in, @Nullable Lease current, Candidate winner) {
        Lease base = current == null ? Lease.builder(in.key()).build() : current;
        Instant time = in.now().wall();
        Instant renewed = time.equals(base.renewTime()) ? time.plusNanos(1000) : time;
        boolean first = base.acquireTime() == null && base.renewTime() == null;
        Lease.Builder next = base.toBuilder()
                .holder(winner.identity())
                .leaseDuration(in.policy().leaseDuration())
                .acquireTime(renewed)
                .renewTime(renewed)
                .transitions(first ? base.transitions() : base.nextTransitions())
                .electedBy(ELECTED_BY)
                .holderKey(null)
                .term(TermAnnotation.granted(winner.identity(), renewed, base.endedWhenReplaced()))
                .holderPod(winner.pod() == null ? null : winner.pod().onLease())
                .noEndOfTerm()
                .retiredBy(null)
                .managed(true);
        return recordStrategy(next, in.strategy()).build();
    }

    /** Returns the lease with the request to yield. The successor is recorded as elected by this coordinator, even if the holder itself has raced for the lease. */
    static Lease endOfTerm(ElectionInput in, Lease current, Candidate preferred) {
        return recordStrategy(
                        current.toBuilder()
                                .endOfTerm(preferred.identity(), null)
                                .electedBy(ELECTED_BY),
                        in.strategy())
                .build();
    }

    /** Returns the lease without the request to yield. */
    static Lease noEndOfTerm(Lease current) {
        return current.toBuilder().noEndOfTerm().build();
    }

    /** Returns the lease with the strategy in force; without a holder if it isn't there yet. */
    static Lease strategy(ElectionInput in, @Nullable Lease current) {
        Lease.Builder next = current == null
                ? Lease.builder(in.key()).leaseDuration(Lease.RELEASED).managed(true)
                : current.toBuilder();
        return recordStrategy(next, in.strategy()).build();
    }

    /** Records the strategy in force on the Lease, unless an administrator has set one. */
    private static Lease.Builder recordStrategy(Lease.Builder lease, StrategyChoice choice) {
        return choice.source() == StrategyChoice.Source.LEASE
                ? lease
                : lease.strategy(choice.name()).recordedStrategy(choice.name());
    }
}
