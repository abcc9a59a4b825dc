package io.cle.lock;

import java.time.Duration;

import io.cle.model.Lease;
import io.cle.model.LeaseObservation;
import io.cle.strategy.BuiltInStrategy;
import org.jspecify.annotations.Nullable;

import static io.cle.lock.LockState.NEVER;

/** From when on a process that stands by may claim the lease it has observed (lock's rules 1, 8 and 9). */
final class ClaimRule {

    /**
     * How far apart the first attempts of many are spread. The jitter is a function of who attempts, so that it needs no random source,
     * and is smaller for a released record, where everybody has been told at once, than for an expired one.
     */
    private static final Duration JITTER_RELEASED = Duration.ofMillis(20);

    private static final Duration JITTER_EXPIRED = Duration.ofMillis(150);

    private ClaimRule() {}

    /**
     * The instant, in monotonic nanoseconds; {@link LockState#NEVER} as long as nothing changes.
     *
     * @param ours whether this process itself has written the holder that stands there
     */
    static long claimAt(LockConfig config, LockState state, LeaseObservation observation, boolean ours) {
        Lease lease = observation.lease();
        if (ours) {
            return observation.seenAt() - state.othersUntil >= 0 ? observation.seenAt() : state.othersUntil;
        }
        if (lease != null && lease.heldBy(config.identity())) {
            return othersUntil(config, state, observation);
        }
        boolean released = lease == null || !lease.held();
        long jitter = jitter(config, state.nonce, released ? JITTER_RELEASED : JITTER_EXPIRED);
        if (config.kind() == LockKind.DIRECT || uncoordinated(config, lease)) {
            return observation.heldUntil() + jitter;
        }
        return config.fallback().enabled() ? fallbackAt(config, state, observation) + jitter : NEVER;
    }

    /**
     * Until when somebody else may lead by a lease that this process hasn't written, in monotonic nanoseconds. Its own record may turn
     * up before: it has overruled a holder, or its creation was carried out late, when another term had begun and the lease was
     * deleted.
     */
    static long othersUntil(LockConfig config, LockState state, LeaseObservation observation) {
        Lease lease = observation.lease();
        return lease != null && lease.heldBy(config.identity())
                ? namedAt(config, observation, lease, state.takeover)
                : observation.ledUntil();
    }

    /**
     * The lease names us, but this process hasn't written that: a coordinator has granted it, or the holder that we have asked to
     * yield; or another process of the same name holds it, and is waited out like anybody else.
     */
    private static long namedAt(LockConfig config, LeaseObservation observation, Lease lease, TakeoverState takeover) {
        boolean awaited = config.kind() == LockKind.COORDINATED || takeover.asking();
        boolean granted = lease.granted() || (awaited && !lease.confirmed());
        return granted ? observation.claimableAt() : observation.heldUntil();
    }

    /** When a coordinator has had long enough to elect somebody of those who stand, this process among them (lock's rule 8). */
    private static long fallbackAt(LockConfig config, LockState state, LeaseObservation observation) {
        boolean freeBefore = state.standsSince - observation.heldUntil() >= 0;
        long since = freeBefore ? state.standsSince : observation.heldUntil();
        return since + config.fallback().delay().toNanos();
    }

    /** Whether no coordinator is going to elect anybody, by what the lease or else the candidate itself says. */
    private static boolean uncoordinated(LockConfig config, @Nullable Lease lease) {
        String strategy = lease != null && lease.strategy() != null
                ? lease.strategy()
                : config.candidacy() == null
                        ? ""
                        : config.candidacy().template().strategy();
        return strategy.equals(BuiltInStrategy.NO_COORDINATION.wireName());
    }

    private static long jitter(LockConfig config, String nonce, Duration widest) {
        int spread = ((config.identity() + '/' + nonce).hashCode() * 0x9E3779B9) >>> 16;
        return (widest.toNanos() * spread) >>> 16;
    }
}
