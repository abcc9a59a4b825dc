package io.cle.spring.onleader.internal.term;

import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.spring.onleader.LeadershipTerm;
import org.jspecify.annotations.Nullable;

/** A term as its lock knows it: valid while the lock leads and its fencing token is still this one. */
public record LockTerm(String lease, long fencingToken, CoordinatedLeaseLock lock) implements LeadershipTerm {

    /** What a lock that names no token, as a mock may, leads with. */
    private static final long NO_TOKEN = -1;

    /** The running term of a lock; {@code null} if it doesn't lead. */
    public static @Nullable LockTerm running(String lease, CoordinatedLeaseLock lock) {
        return lock.isLeader() ? new LockTerm(lease, lock.fencingToken().orElse(NO_TOKEN), lock) : null;
    }

    @Override
    public boolean isValid() {
        return lock.isLeader() && lock.fencingToken().orElse(NO_TOKEN) == fencingToken;
    }
}
