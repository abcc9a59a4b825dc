package io.cle.lock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.cle.api.ApiResult;
import io.cle.lock.LockState.Phase;
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

    private final LockConfig config;
    private final LockState s;
    private final Moment now;
    private final List<LockAction> actions = new ArrayList<>();

    LockStep(LockConfig config, LockState state, Moment now) {
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
        advance();
        return new Transition(s, List.copyOf(actions));
    }

    // ---- what was seen -------------------------------------------------------------------------------------------

    private void watched(LockEvent.LeaseSeen seen) {
        s.lookAt = NEVER;
        Lease known = s.lease();
        if (known != null && ResourceVersions.older(seen.lease().resourceVersion(), known.resourceVersion())) {
            return;
        }
        observe(seen.lease(), seen.contiguous());
    }

    private void watchedMissing(LockEvent.LeaseMissing missing) {
        Lease known = s.lease();
        if (known != null && ResourceVersions.older(missing.resourceVersion(), known.resourceVersion())) {
            return;
        }
        observe(null, missing.resourceVersion() != null);
    }

    private void observe(@Nullable Lease lease, boolean contiguous) {
        s.observation =
                s.observation == null ? LeaseObservation.first(lease, now) : s.observation.seen(lease, now, contiguous);
        String holder = lease == null ? null : lease.holder();
        if (!Objects.equals(holder, s.toldHolder)) {
            s.toldHolder = holder;
            actions.add(new LockAction.LeaderChanged(holder));
        }
        if (s.phase != Phase.STANDBY && !ours(lease)) {
            lost(lease);
        }
    }

    /** Whether the record is of this process's term, also where somebody's edit has taken the mark off. */
    private boolean ours(@Nullable Lease lease) {
        if (lease == null || !lease.heldBy(config.identity())) {
            return false;
        }
        if (lease.term() == null) {
            return s.term != null && s.term.acquireTime().equals(lease.acquireTime());
        }
        return lease.term().equals(s.mark(config.identity()));
    }

    private void lost(@Nullable Lease lease) {
        if (s.phase == Phase.LEADING) {
            actions.add(new LockAction.Report(
                    true,
                    lease == null
                            ? "the lease was deleted while this process led by it"
                            : "the lease is held by '" + lease.holder() + "' now, not by this process any more"));
            revoke(RevokeReason.LEASE_LOST);
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
        observe(stored, true);
        if (!ours(stored) || (s.phase == Phase.STANDBY && !s.claiming)) {
            return;
        }
        long validUntil = s.sentAt + config.timings().renewDeadline().toNanos();
        s.renewAt = s.sentAt + config.timings().renewInterval().toNanos();
        if (!s.claiming) {
            s.validUntil = validUntil;
        } else if (now.reached(validUntil)) {
            actions.add(new LockAction.Report(
                    true,
                    "the write that was to begin a term took " + now.since(s.sentAt)
                            + ", longer than the renew deadline; trying again"));
        } else {
            begin(stored, validUntil);
        }
    }

    private void begin(Lease stored, long validUntil) {
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
        s.validUntil = validUntil;
        s.phase = Phase.LEADING;
        actions.add(new LockAction.Grant(term));
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
        actions.add(new LockAction.Report(
                true, result.describe() + "; trying again in " + wait.toMillis() + " ms (failure " + s.failures + ")"));
    }

    // ---- what users ask for --------------------------------------------------------------------------------------

    private void start() {
        if (s.running) {
            return;
        }
        s.running = true;
        s.away = false;
        actions.add(new LockAction.Announce());
    }

    private void stop() {
        if (!s.running) {
            return;
        }
        s.running = false;
        s.away = false;
        actions.add(new LockAction.Withdraw());
        if (s.phase == Phase.LEADING) {
            drain(RevokeReason.STOPPED);
        }
    }

    private void resign() {
        if (s.phase != Phase.LEADING) {
            return;
        }
        s.away = true;
        s.awayUntil = now.plus(config.timings().leaseDuration());
        actions.add(new LockAction.Withdraw());
        drain(RevokeReason.RESIGNED);
    }

    // ---- the end of a term ---------------------------------------------------------------------------------------

    private void endTermAtDeadline() {
        if (s.phase == Phase.LEADING && now.reached(s.validUntil)) {
            revoke(RevokeReason.RENEW_DEADLINE);
            s.phase = Phase.STANDBY;
        }
    }

    private void drain(RevokeReason reason) {
        revoke(reason);
        s.phase = Phase.DRAINING;
    }

    private void revoke(RevokeReason reason) {
        Term ended = Objects.requireNonNull(s.term);
        s.draining = ended;
        s.drainUntil = now.plus(config.drainTimeout());
        actions.add(new LockAction.Revoke(ended, reason));
    }

    private void drained(LockEvent.Drained drained) {
        if (s.draining != null && s.draining.fencingToken() == drained.fencingToken()) {
            s.draining = null;
        }
    }

    // ---- what is due ---------------------------------------------------------------------------------------------

    private void advance() {
        giveUpWaitingForListeners();
        comeBackAfterResignation();
        if (s.phase == Phase.LEADING && askedToYield()) {
            drain(RevokeReason.END_OF_TERM);
        }
        if (s.phase == Phase.DRAINING && s.draining == null) {
            s.phase = Phase.HANDING_OVER;
            s.handOverUntil = now.plus(config.timings().leaseDuration());
        }
        if (s.phase == Phase.LEADING) {
            wakeAt(s.validUntil);
        }
        if (s.writing != null || s.reading) {
            return;
        }
        if (s.lookAt != NEVER && due(s.lookAt)) {
            s.lookAt = NEVER;
            s.readNeeded = true;
        }
        if (s.phase == Phase.HANDING_OVER && now.reached(s.handOverUntil)) {
            actions.add(new LockAction.Report(true, "gave up handing the lease over: it will have expired by now"));
            s.phase = Phase.STANDBY;
        }
        if (s.readNeeded) {
            if (due(s.retryAt)) {
                s.reading = true;
                actions.add(new LockAction.ReadLease());
            }
            return;
        }
        switch (s.phase) {
            case LEADING, DRAINING -> renewWhenDue();
            case HANDING_OVER -> handOverWhenDue();
            case STANDBY -> claimWhenDue();
        }
    }

    private void giveUpWaitingForListeners() {
        if (s.draining != null && due(s.drainUntil)) {
            actions.add(new LockAction.Report(
                    true,
                    "the work of the ended term hasn't stopped within the drain timeout of " + config.drainTimeout()
                            + "; going on without waiting for it"));
            s.draining = null;
        }
    }

    private void comeBackAfterResignation() {
        if (s.away && s.phase == Phase.STANDBY && due(s.awayUntil)) {
            s.away = false;
            actions.add(new LockAction.Announce());
        }
    }

    private boolean askedToYield() {
        Lease lease = s.lease();
        return lease != null && lease.endOfTerm() && !config.identity().equals(lease.preferredHolder());
    }

    private void renewWhenDue() {
        long at = s.failures > 0 ? s.retryAt : s.renewAt;
        if (due(at)) {
            write(LeaseWrites.renewal(config, held(), s.mark(config.identity()), now));
        }
    }

    private void handOverWhenDue() {
        wakeAt(s.handOverUntil);
        if (due(s.retryAt)) {
            write(LeaseWrites.handOver(config, held(), now));
        }
    }

    private Lease held() {
        return Objects.requireNonNull(s.lease(), "nothing is held without a lease");
    }

    private void claimWhenDue() {
        if (!s.running) {
            releaseLateClaim();
            return;
        }
        LeaseObservation observation = s.observation;
        if (observation == null || s.away || s.draining != null) {
            return;
        }
        long at = ClaimRule.claimAt(config, observation, ours(observation.lease()), s.nonce);
        if (at != NEVER && due(s.failures > 0 ? Math.max(at, s.retryAt) : at)) {
            write(LeaseWrites.claim(config, observation.lease(), s.mark(config.identity()), now));
        }
    }

    /** A claim whose outcome wasn't known when the lock was stopped, and which turns out to have been applied. */
    private void releaseLateClaim() {
        if (ours(s.lease())) {
            s.phase = Phase.HANDING_OVER;
            s.handOverUntil = now.plus(config.timings().leaseDuration());
            handOverWhenDue();
        }
    }

    private void write(Lease desired) {
        s.writing = desired;
        s.claiming = s.phase == Phase.STANDBY;
        s.sentAt = now.nanos();
        actions.add(new LockAction.WriteLease(desired));
    }

    /** Whether an instant has come; where it hasn't, the machine wants to be woken then. */
    private boolean due(long at) {
        if (now.reached(at)) {
            return true;
        }
        wakeAt(at);
        return false;
    }

    private void wakeAt(long at) {
        s.wakeAt = s.wakeAt == NEVER ? at : Math.min(s.wakeAt, at);
    }
}
