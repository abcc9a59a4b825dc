package io.cle.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.cle.lock.LockState.Phase;
import io.cle.model.Lease;
import io.cle.model.Moment;
import org.jspecify.annotations.Nullable;

/** What the parts of one step share: the copy of the state that they change, and the actions that they come to. */
final class StepScope {

    final LockConfig config;
    final LockState s;
    final Moment now;
    final List<LockAction> actions = new ArrayList<>();

    StepScope(LockConfig config, LockState state, Moment now) {
        this.config = config;
        this.s = state;
        this.now = now;
    }

    /** What is to be written is on its way before anybody is told of anything. */
    void write(Lease desired) {
        actions.add(0, new LockAction.WriteLease(desired));
    }

    void report(String message) {
        actions.add(new LockAction.Report(message));
    }

    /** Whether the record is of this process's term, also where somebody's edit has taken the mark off. */
    boolean ours(@Nullable Lease lease) {
        if (lease == null || !lease.heldBy(config.identity())) {
            return false;
        }
        if (lease.term() == null) {
            return s.term != null && s.term.acquireTime().equals(lease.acquireTime());
        }
        return lease.confirmed() && lease.term().writtenBy(s.nonce);
    }

    Lease held() {
        return Objects.requireNonNull(s.lease(), "nothing is held without a lease");
    }

    /** The term is over. */
    void revoke(RevokeReason reason) {
        Term ended = Objects.requireNonNull(s.term);
        s.draining = ended;
        s.drainUntil = now.plus(config.drainTimeout());
        actions.add(new LockAction.Revoke(ended, reason));
    }

    /** The term is over, and the lease is kept until its work has ended. */
    void drain(RevokeReason reason) {
        revoke(reason);
        s.phase = Phase.DRAINING;
    }
}
