package io.cle.lock;

import io.cle.lock.LockState.Phase;
import io.cle.lock.LockState.Purpose;
import io.cle.model.Lease;
import io.cle.model.LeaseObservation;
import io.cle.model.Moment;

import static io.cle.lock.LockState.NEVER;

/** The second half of a step: does whatever is due, and sets when to be woken for what will be. */
final class LockDuties {

    private final StepScope scope;
    private final LockConfig config;
    private final LockState s;
    private final Moment now;

    LockDuties(StepScope scope) {
        this.scope = scope;
        this.config = scope.config;
        this.s = scope.s;
        this.now = scope.now;
    }

    void advance() {
        giveUpWaitingForListeners();
        if (s.phase == Phase.LEADING && askedToYield()) {
            scope.drain(RevokeReason.END_OF_TERM);
            holdOffAfterYielding();
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
        giveUpHandingOver();
        comeBackAfterResignation();
        if (s.readNeeded) {
            if (due(s.retryAt)) {
                s.reading = true;
                scope.actions.add(new LockAction.ReadLease());
            }
            return;
        }
        if (s.phase == Phase.STANDBY) {
            claimWhenDue();
        } else if (scope.ours(s.lease())) {
            // Nothing is written over what may be somebody else's; either it turns out whose it is, or it's given up.
            if (s.phase == Phase.HANDING_OVER) {
                handOverWhenDue();
            } else {
                renewWhenDue();
            }
        }
    }

    private void giveUpWaitingForListeners() {
        if (s.draining != null && due(s.drainUntil)) {
            scope.report("the work of the ended term hasn't stopped within the drain timeout of "
                    + config.drainTimeout() + "; going on without waiting for it");
            s.draining = null;
        }
    }

    /** What the API server couldn't be told in time needs no telling any more; a lock that was stopped has to come to an end. */
    private void giveUpHandingOver() {
        boolean stoppedInDoubt = !s.running && s.phase == Phase.STANDBY && s.readNeeded;
        if (!(s.phase == Phase.HANDING_OVER || stoppedInDoubt) || !due(s.handOverUntil)) {
            return;
        }
        scope.report("gave up handing the lease over: it will have expired by now");
        s.phase = Phase.STANDBY;
        s.readNeeded &= s.running;
    }

    private void comeBackAfterResignation() {
        if (s.away && s.phase == Phase.STANDBY && due(s.awayUntil)) {
            s.away = false;
            s.standsSince = now.nanos();
            scope.actions.add(new LockAction.Announce());
        }
    }

    private void holdOffAfterYielding() {
        if (config.takeover() == null) {
            return;
        }
        s.takeover = TakeoverRule.yielded(config, s.takeover, now.since(s.beganAt), now);
        if (s.takeover.yields() > 1) {
            scope.report("yielded for the " + s.takeover.yields() + ". time in a row soon after it began to lead (key '"
                    + config.takeover().key() + "', the successor's '"
                    + scope.held().preferredKey()
                    + "'): do the candidates' comparisons contradict each other? It asks nobody to yield for "
                    + TakeoverRule.holdOff(config, s.takeover.yields()));
        }
    }

    private boolean askedToYield() {
        Lease lease = s.lease();
        return lease != null && lease.endOfTerm() && !config.identity().equals(lease.preferredHolder());
    }

    private void renewWhenDue() {
        long at = s.failures > 0 ? s.retryAt : s.renewAt;
        if (due(at)) {
            write(Purpose.RENEW, LeaseWrites.renewal(config, scope.held(), s.nonce, now));
        }
    }

    private void handOverWhenDue() {
        if (due(s.retryAt)) {
            write(Purpose.HAND_OVER, LeaseWrites.handOver(config, scope.held(), now));
        }
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
        boolean ours = scope.ours(observation.lease());
        long at = ClaimRule.claimAt(config, s, observation, ours);
        if (at != NEVER && due(s.failures > 0 ? Math.max(at, s.retryAt) : at)) {
            write(Purpose.CLAIM, LeaseWrites.claim(config, observation.lease(), s.nonce, now));
        } else if (!ours && !observation.free(now)) {
            takeOver(observation);
        }
    }

    private void takeOver(LeaseObservation observation) {
        TakeoverRule.Plan plan = TakeoverRule.plan(config, observation, s.takeover, now);
        if (plan.at() == NEVER || !due(s.failures > 0 ? Math.max(plan.at(), s.retryAt) : plan.at())) {
            return;
        }
        switch (plan.move()) {
            case ASK -> write(Purpose.ASK, LeaseWrites.request(config, scope.held()));
            case SEIZE -> {
                write(Purpose.SEIZE, LeaseWrites.seizure(config, observation, s.nonce, now));
                scope.report("the holder '" + scope.held().holder()
                        + "' was asked to yield to a higher key and has not; it is"
                        + " overruled, and its last renewal is waited out");
            }
            case WAIT -> wakeAt(plan.at());
        }
    }

    /** A write whose outcome wasn't known when the lock was stopped, and which turns out to have been applied. */
    private void releaseLateClaim() {
        boolean nobodyElseLeads = now.reached(s.othersUntil);
        if (s.draining == null && scope.ours(s.lease()) && nobodyElseLeads && !now.reached(s.handOverUntil)) {
            s.phase = Phase.HANDING_OVER;
            wakeAt(s.handOverUntil);
            handOverWhenDue();
        }
    }

    private void write(Purpose purpose, Lease desired) {
        s.writing = desired;
        s.purpose = purpose;
        s.sentAt = now.nanos();
        scope.write(desired);
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
