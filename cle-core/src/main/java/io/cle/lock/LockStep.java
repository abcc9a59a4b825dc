package io.cle.lock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

import io.cle.api.ApiResult;
import io.cle.lock.LockState.Phase;
import io.cle.lock.LockState.Purpose;
import io.cle.model.Lease;
import io.cle.model.LeaseObservation;
import io.cle.model.Moment;
import io.cle.model.ResourceVersions;
import org.jspecify.annotations.Nullable;

import static io.cle.lock.LockState.NEVER;

/** One step of {@link LockMachine}: takes note of an event, then does whatever is due. Used once. */
final class LockStep {

    /** How long the outcome of an election that was heard of may fail to show on the watch before it is read. */
    private static final Duration ELECTION_SHOWS_WITHIN = Duration.ofSeconds(2);

    /** How many conflicts in a row are tried again at once; behind more of them stands something else than a busy record. */
    private static final int CONFLICTS_AT_ONCE = 3;

    private final StepScope scope;
    private final LockConfig config;
    private final LockState s;
    private final Moment now;

    LockStep(LockConfig config, LockState state, Moment now) {
        this.scope = new StepScope(config, state, now);
        this.config = config;
        this.s = state;
        this.now = now;
    }

    Transition handle(LockEvent event) {
        endTermAtDeadline();
        if (event instanceof LockEvent.LeaseSeen seen) {
            watched(seen);
        } else if (event instanceof LockEvent.LeaseMissing missing) {
            watchedMissing(missing);
        } else if (event instanceof LockEvent.WriteDone done) {
            written(done.result());
        } else if (event instanceof LockEvent.ReadDone done) {
            read(done.result());
        } else if (event instanceof LockEvent.Drained drained) {
            drained(drained);
        } else if (event instanceof LockEvent.Start) {
            start();
        } else if (event instanceof LockEvent.Stop) {
            stop();
        } else if (event instanceof LockEvent.Resign) {
            resign();
        } else if (event instanceof LockEvent.ElectionHeard) {
            s.lookAt = now.plus(ELECTION_SHOWS_WITHIN);
        }
        s.wakeAt = NEVER;
        new LockDuties(scope).advance();
        tellWhoHolds();
        return new Transition(s, scope.actions);
    }

    // ---- what was seen -------------------------------------------------------------------------------------------

    private void watched(LockEvent.LeaseSeen seen) {
        s.lookAt = NEVER;
        Lease known = s.lease();
        if (known != null && ResourceVersions.older(seen.lease().resourceVersion(), known.resourceVersion())) {
            return;
        }
        observe(seen.lease(), seen.contiguous());
        if (seen.contiguous() && isOwnClaim(known, seen.lease())) {
            // The write has succeeded (lock's rule 1); its answer has no more to say now than that of a renewal.
            claimed(seen.lease());
            s.purpose = Purpose.RENEW;
        }
    }

    /**
     * Whether the watch has been quicker than the answer to a claim: what comes next after the version that was to be replaced is the
     * claim itself, and no later edit of it.
     */
    private boolean isOwnClaim(@Nullable Lease replaced, Lease next) {
        return s.writing != null
                && s.purpose == Purpose.CLAIM
                && Objects.equals(s.writing.resourceVersion(), replaced == null ? null : replaced.resourceVersion())
                && next.term() != null
                && next.term().equals(s.writing.term());
    }

    private void watchedMissing(LockEvent.LeaseMissing missing) {
        Lease known = s.lease();
        if (known != null && ResourceVersions.older(missing.resourceVersion(), known.resourceVersion())) {
            return;
        }
        if (missing.resourceVersion() != null) {
            s.removedVersion = missing.resourceVersion();
        }
        observe(null, missing.resourceVersion() != null);
    }

    private void observe(@Nullable Lease lease, boolean contiguous) {
        LeaseObservation before = s.observation;
        s.observation = before == null ? LeaseObservation.first(lease, now) : before.seen(lease, now, contiguous);
        if (scope.ours(lease) && (before == null || !scope.ours(before.lease()))) {
            s.othersUntil =
                    before == null ? now.nanos() : s.observation.notBefore(ClaimRule.othersUntil(config, s, before));
        }
        s.takeover = s.takeover.seen(lease, now);
        if (holderIsNews() && !config.identity().equals(holder())) {
            s.takeover = s.takeover.settled();
        }
        if (s.phase != Phase.STANDBY && !scope.ours(lease)) {
            lost(lease);
        }
    }

    private @Nullable String holder() {
        Lease lease = s.lease();
        return lease == null ? null : lease.holder();
    }

    private boolean holderIsNews() {
        return !Objects.equals(holder(), s.toldHolder);
    }

    /** Last of all, and not while a claim is under way: who begins or loses a term has to hear of that first, and is waited for. */
    private void tellWhoHolds() {
        boolean claims = s.writing != null && s.purpose == Purpose.CLAIM;
        if (!claims && holderIsNews()) {
            s.toldHolder = holder();
            scope.actions.add(new LockAction.LeaderChanged(s.toldHolder));
        }
    }

    private void lost(@Nullable Lease lease) {
        if (s.phase == Phase.LEADING) {
            scope.report(
                    lease == null
                            ? "the lease was deleted while this process led by it"
                            : "the lease is held by '" + lease.holder() + "' now, not by this process any more");
            scope.revoke(RevokeReason.LEASE_LOST);
        }
        s.phase = Phase.STANDBY;
    }

    // ---- answers -------------------------------------------------------------------------------------------------

    private void written(ApiResult<Lease> result) {
        Lease desired = Objects.requireNonNull(s.writing, "a write has ended that was never begun");
        s.writing = null;
        if (result instanceof ApiResult.Ok<Lease> ok) {
            succeeded(ok.value());
        } else if (result instanceof ApiResult.Conflict<Lease>) {
            Lease known = s.lease();
            boolean newerIsKnown = known != null
                    && desired.resourceVersion() != null
                    && ResourceVersions.older(desired.resourceVersion(), known.resourceVersion());
            s.readNeeded = !newerIsKnown;
            if (++s.conflicts > CONFLICTS_AT_ONCE) {
                failed(result);
            }
        } else if (result instanceof ApiResult.Gone<Lease>) {
            observe(null, false);
            failed(result);
        } else if (result instanceof ApiResult.OutcomeUnknown<Lease>) {
            s.readNeeded = true;
            failed(result);
        } else {
            failed(result);
        }
    }

    private void succeeded(Lease stored) {
        s.conflicts = 0;
        s.failures = 0;
        s.retryAt = now.nanos();
        if (!overtaken(stored)) {
            observe(stored, true);
        }
        if (s.purpose == Purpose.ASK) {
            s.takeover = s.takeover.asked(now.nanos());
        }
        boolean renewed = s.purpose == Purpose.RENEW && s.phase != Phase.STANDBY;
        if (!scope.ours(s.lease()) || !(renewed || s.purpose == Purpose.CLAIM)) {
            return;
        }
        if (renewed) {
            setDeadlines();
        } else {
            claimed(stored);
        }
    }

    /** By the write that was sent last (lock's rule 2). */
    private long validUntil() {
        return s.sentAt + config.timings().renewDeadline().toNanos();
    }

    private void setDeadlines() {
        s.validUntil = validUntil();
        s.renewAt = s.sentAt + config.timings().renewInterval().toNanos();
    }

    /** A claim has succeeded. */
    private void claimed(Lease stored) {
        if (now.reached(validUntil())) {
            scope.report("the write that was to begin a term took " + now.since(s.sentAt)
                    + ", longer than the renew deadline; trying again");
        } else if (!now.reached(s.othersUntil)) {
            scope.report(
                    "the write that was to begin a term was carried out late, after somebody else had begun one that may still"
                            + " run; waiting for its end");
        } else {
            begin(stored);
        }
    }

    /** Whether the watch has told of something newer before the answer came. */
    private boolean overtaken(Lease stored) {
        Lease known = s.lease();
        String newest = known == null ? s.removedVersion : known.resourceVersion();
        return ResourceVersions.older(stored.resourceVersion(), newest);
    }

    private void begin(Lease stored) {
        Term term = new Term(
                config.lease(),
                config.identity(),
                ResourceVersions.toNumber(stored.resourceVersion()),
                Objects.requireNonNull(stored.acquireTime()));
        s.term = term;
        if (!s.running || s.away) {
            s.phase = Phase.HANDING_OVER;
            s.handOverUntil = now.plus(config.timings().leaseDuration());
            return;
        }
        s.beganAt = now.nanos();
        setDeadlines();
        s.takeover = s.takeover.settled();
        s.phase = Phase.LEADING;
        scope.actions.add(new LockAction.Grant(term));
    }

    private void read(ApiResult<Optional<Lease>> result) {
        s.reading = false;
        if (result instanceof ApiResult.Ok<Optional<Lease>> ok) {
            s.readNeeded = false;
            s.failures = 0;
            s.retryAt = now.nanos();
            observe(ok.value().orElse(null), false);
        } else {
            failed(result);
        }
    }

    private void failed(ApiResult<?> result) {
        s.failures++;
        Duration retry = config.timings().retryPeriod();
        Duration delay = retry.dividedBy(8).multipliedBy(1L << Math.min(s.failures - 1, 10));
        Duration longest = s.phase == Phase.STANDBY ? config.timings().leaseDuration() : retry;
        Duration wait = delay.compareTo(longest) < 0 ? delay : longest;
        if (result instanceof ApiResult.Refused<?> refused
                && refused.retryAfter() != null
                && refused.retryAfter().compareTo(wait) > 0) {
            wait = refused.retryAfter();
        }
        s.retryAt = now.plus(wait);
        scope.report(result.describe() + "; trying again in " + wait.toMillis() + " ms (failure " + s.failures + ")");
    }

    // ---- what users ask for --------------------------------------------------------------------------------------

    private void start() {
        if (s.running) {
            return;
        }
        s.running = true;
        s.standsSince = now.nanos();
        s.away = false;
        scope.actions.add(new LockAction.Announce());
    }

    private void stop() {
        if (!s.running) {
            return;
        }
        s.running = false;
        s.away = false;
        scope.actions.add(new LockAction.Withdraw());
        if (s.phase == Phase.LEADING) {
            scope.drain(RevokeReason.STOPPED);
        } else if (s.phase == Phase.STANDBY) {
            s.handOverUntil = now.plus(config.timings().leaseDuration());
        }
    }

    private void resign() {
        if (s.phase != Phase.LEADING) {
            return;
        }
        s.away = true;
        s.awayUntil = now.plus(config.timings().leaseDuration());
        scope.actions.add(new LockAction.Withdraw());
        scope.drain(RevokeReason.RESIGNED);
    }

    // ---- the end of a term ---------------------------------------------------------------------------------------

    /** Backing off begins anew: a leader fails often in a short time, and isn't to wait a lease duration for it afterwards. */
    private void endTermAtDeadline() {
        if (s.phase == Phase.LEADING && now.reached(s.validUntil)) {
            scope.revoke(RevokeReason.RENEW_DEADLINE);
            s.phase = Phase.STANDBY;
            s.failures = 0;
        }
    }

    private void drained(LockEvent.Drained drained) {
        if (s.draining != null && s.draining.fencingToken() == drained.fencingToken()) {
            s.draining = null;
        }
    }
}
