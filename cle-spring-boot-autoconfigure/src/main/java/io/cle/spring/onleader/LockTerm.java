package io.cle.spring.onleader;

import io.cle.CoordinatedLeaseLock;
import org.jspecify.annotations.Nullable;

/** A term as its lock knows it: valid while the lock leads and its fencing token is still this one. */
record LockTerm(String lease, long fencingToken, CoordinatedLeaseLock lock) implements LeadershipTerm {

    /** What a lock that names no token, as a mock may, leads with. */
    private static final long NO_TOKEN = -1;

    /** The running term of a lock; {@code null} if it doesn't lead. */
    static @Nullable LockTerm running(String lease, CoordinatedLeaseLock lock) {
        return lock.isLeader() ? new LockTerm(lease, lock.fencingToken().orElse(NO_TOKEN), lock) : null;
    }

    @Override
    public boolean isValid() {
        return lock.isLeader() && lock.fencingToken().orElse(NO_TOKEN) == fencingToken;
    }
}
