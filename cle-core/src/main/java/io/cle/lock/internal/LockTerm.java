package io.cle.lock.internal;

import java.time.Instant;
import java.util.Optional;

import io.cle.CoordinatedLeaseLock;
import io.cle.LockSnapshot;
import io.cle.Shard;
import io.cle.Term;
import io.cle.lock.internal.LockState.BegunTerm;
import io.cle.model.ObjectKey;

/** A term of a lock: valid while the lock leads with this fencing token. */
public record LockTerm(
        ObjectKey lease,
        Optional<Shard> shard,
        String identity,
        long fencingToken,
        Instant acquireTime,
        CoordinatedLeaseLock lock)
        implements Term {

    private static final long NO_TOKEN = -1;

    /** Creates a term of a lease that isn't a shard. */
    public LockTerm(
            ObjectKey lease, String identity, long fencingToken, Instant acquireTime, CoordinatedLeaseLock lock) {
        this(lease, Optional.empty(), identity, fencingToken, acquireTime, lock);
    }

    /** Returns a term that the lock's machine has begun. */
    static LockTerm of(BegunTerm term, Optional<Shard> shard, CoordinatedLeaseLock lock) {
        return new LockTerm(term.lease(), shard, term.identity(), term.fencingToken(), term.acquireTime(), lock);
    }

    /** Returns a term of another lock as a term of this lock, which must lead, too. */
    public static LockTerm of(Term term, CoordinatedLeaseLock lock) {
        return new LockTerm(term.lease(), term.shard(), term.identity(), term.fencingToken(), term.acquireTime(), lock);
    }

    /** Returns the running term of a lock, also of an application's own lock or mock that leads without naming a term. */
    public static Optional<Term> running(CoordinatedLeaseLock lock) {
        Optional<Term> term = lock.term();
        if (term.isPresent() || !lock.isLeader()) {
            return term;
        }
        LockSnapshot snapshot = lock.snapshot();
        return Optional.of(new LockTerm(snapshot.lease(), snapshot.identity(), NO_TOKEN, Instant.EPOCH, lock));
    }

    @Override
    public boolean isValid() {
        return lock.isLeader() && lock.fencingToken().orElse(NO_TOKEN) == fencingToken;
    }
}
