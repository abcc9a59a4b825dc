package io.cle.lock;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.cle.api.ApiResult;
import io.cle.lock.CandidacyState.Presence;
import io.cle.model.Candidate;
import io.cle.model.Moment;
import io.cle.model.ResourceVersions;

import static io.cle.lock.LockState.NEVER;

/**
 * The announcement of a candidate as a state machine: created, renewed every few minutes (lock's rule 10), acknowledged when asked
 * (coordinator's rule 2), created again when somebody deletes it, withdrawn in the end. Pure: {@link #step} is a function of its
 * arguments.
 */
public final class CandidacyMachine {

    private final LockConfig config;
    private final LockConfig.Candidacy candidacy;
    private final CandidacyState s;
    private final Moment now;
    private final List<CandidacyAction> actions = new ArrayList<>();

    private CandidacyMachine(LockConfig config, LockConfig.Candidacy candidacy, CandidacyState state, Moment now) {
        this.config = config;
        this.candidacy = candidacy;
        this.s = state;
        this.now = now;
    }

    /**
     * What a step comes to.
     *
     * @param state the state from now on
     * @param actions what is to be done, in this order
     */
    public record Outcome(CandidacyState state, List<CandidacyAction> actions) {}

    /**
     * What becomes of a state by an event.
     *
     * @param config of a coordinated lock
     * @param now the moment of the event; never earlier than that of the step before
     */
    public static Outcome step(LockConfig config, CandidacyState state, CandidacyEvent event, Moment now) {
        LockConfig.Candidacy candidacy = config.candidacy();
        if (candidacy == null) {
            throw new IllegalArgumentException("a direct lock announces no candidate");
        }
        return new CandidacyMachine(config, candidacy, state.copy(), now).handle(event);
    }

    private Outcome handle(CandidacyEvent event) {
        if (event instanceof CandidacyEvent.Announce) {
            s.wanted = true;
            s.told = false;
            s.retryAt = now.nanos();
        } else if (event instanceof CandidacyEvent.Withdraw) {
            s.wanted = false;
            s.retryAt = now.nanos();
            s.giveUpAt = now.plus(config.timings().leaseDuration());
        } else if (event instanceof CandidacyEvent.Seen seen) {
            seen(seen.candidate());
        } else if (event instanceof CandidacyEvent.Missing missing) {
            // A list that doesn't show it tells no version; what its deletion told still holds.
            if (missing.resourceVersion() != null) {
                s.removedVersion = missing.resourceVersion();
            }
            s.presence = s.busy ? Presence.UNKNOWN : Presence.ABSENT;
        } else if (event instanceof CandidacyEvent.Garbled) {
            s.changed = true;
        } else if (event instanceof CandidacyEvent.WriteDone done) {
            written(done.result());
        } else if (event instanceof CandidacyEvent.DeleteDone done) {
            deleted(done.result());
        } else if (event instanceof CandidacyEvent.PriorityChanged changed) {
            s.priority = changed.priority();
            s.changed = true;
        }
        s.wakeAt = NEVER;
        advance();
        return new Outcome(s, List.copyOf(actions));
    }

    /**
     * One that appears after this process has withdrawn its own is left alone, as it is of another process of the same name; unless it
     * is this process's own creation, carried out late.
     */
    private void seen(Candidate candidate) {
        boolean withdrawn = !s.wanted && s.presence == Presence.ABSENT;
        if (withdrawn && !Objects.equals(candidate.renewTime(), s.writtenTime)) {
            return;
        }
        if (s.stored == null || !ResourceVersions.older(candidate.resourceVersion(), s.stored.resourceVersion())) {
            s.stored = candidate;
            s.presence = Presence.PRESENT;
            if (s.wanted && !announcesTheSame(candidate)) {
                s.renewAt = Math.min(s.renewAt, now.plus(config.timings().leaseDuration()));
            }
        }
    }

    /**
     * Whether it says what this process has written last. What somebody else has made of it is mended, be it that an acknowledgement is
     * taken back by a write that was carried out late, though not at once: that may be another process of the same name, and the two
     * would write as fast as they can.
     */
    private boolean announcesTheSame(Candidate candidate) {
        Candidate own = s.written;
        return own == null
                || (Objects.equals(candidate.renewTime(), own.renewTime())
                        && candidate.lease().equals(own.lease())
                        && candidate.strategy().equals(own.strategy())
                        && Objects.equals(candidate.priority(), own.priority())
                        && Objects.equals(candidate.binaryVersion(), own.binaryVersion())
                        && Objects.equals(candidate.compatibilityVersion(), own.compatibilityVersion()));
    }

    private void written(ApiResult<Candidate> result) {
        s.busy = false;
        if (result instanceof ApiResult.Ok<Candidate> ok) {
            s.failures = 0;
            s.written = ok.value();
            if (!overtaken(ok.value())) {
                s.stored = ok.value();
                s.presence = Presence.PRESENT;
            }
            s.renewAt = now.plus(candidacy.renewInterval());
            if (!s.told && s.wanted) {
                s.told = true;
                actions.add(new CandidacyAction.Announced(ok.value()));
            }
        } else if (result instanceof ApiResult.Conflict<Candidate>) {
            s.presence = Presence.PRESENT;
            s.renewAt = now.nanos();
        } else if (result instanceof ApiResult.Gone<Candidate>) {
            s.presence = Presence.ABSENT;
            failed(result);
        } else {
            failed(result);
        }
    }

    /** Whether the watch has told of something newer before the answer came: that it was asked for once more, or deleted. */
    private boolean overtaken(Candidate written) {
        String version = written.resourceVersion();
        boolean changedSince = s.stored != null && ResourceVersions.older(version, s.stored.resourceVersion());
        return changedSince || ResourceVersions.older(version, s.removedVersion);
    }

    private void deleted(ApiResult<?> result) {
        s.busy = false;
        if (result instanceof ApiResult.Ok<?> || result instanceof ApiResult.Gone<?>) {
            s.failures = 0;
            s.presence = Presence.ABSENT;
        } else {
            failed(result);
        }
    }

    private void failed(ApiResult<?> result) {
        s.failures++;
        Duration first = config.timings().retryPeriod().dividedBy(8);
        Duration delay = first.multipliedBy(1L << Math.min(s.failures - 1, 10));
        Duration longest = config.timings().leaseDuration();
        Duration wait = delay.compareTo(longest) < 0 ? delay : longest;
        s.retryAt = now.plus(wait);
        actions.add(new CandidacyAction.Report(
                "the candidate " + candidacy.template().key() + " could not be "
                        + (s.wanted ? "announced" : "withdrawn") + ": " + result.describe() + "; trying again in "
                        + wait.toMillis()
                        + " ms (failure " + s.failures + ")"));
    }

    private void advance() {
        if (s.busy) {
            return;
        }
        if (!s.wanted) {
            if (s.presence != Presence.ABSENT) {
                withdraw();
            }
        } else if (s.presence == Presence.PRESENT) {
            renewWhenDue();
        } else if (due(s.retryAt)) {
            s.busy = true;
            s.changed = false;
            actions.add(new CandidacyAction.Create(content(now.wall())));
        }
    }

    /** What the API server couldn't be told in time is left to expire; whoever is stopped has to come to an end. */
    private void withdraw() {
        if (s.failures > 0 && due(s.giveUpAt)) {
            s.presence = Presence.ABSENT;
            s.wakeAt = NEVER;
            actions.add(new CandidacyAction.Report("gave up withdrawing the candidate "
                    + candidacy.template().key() + "; it expires "
                    + candidacy.template().validity() + " after its last renewal"));
        } else if (due(s.retryAt)) {
            s.busy = true;
            actions.add(new CandidacyAction.Delete());
        }
    }

    private void renewWhenDue() {
        Candidate stored = s.stored;
        Instant ping = stored != null && stored.ackPending() ? stored.pingTime() : null;
        boolean asked = ping != null && !ping.equals(s.answeredPing);
        if (asked) {
            actions.add(new CandidacyAction.ElectionHeard());
            s.answeredPing = ping;
        }
        boolean wanted = ping != null || s.changed || !s.told;
        if (due(s.failures > 0 ? s.retryAt : wanted ? now.nanos() : s.renewAt)) {
            s.busy = true;
            s.changed = false;
            actions.add(
                    new CandidacyAction.Renew(content(ping != null && ping.isAfter(now.wall()) ? ping : now.wall())));
        }
    }

    private Candidate content(Instant renewTime) {
        s.writtenTime = renewTime;
        return candidacy.template().toBuilder()
                .priority(s.priority)
                .renewTime(renewTime)
                .build();
    }

    private boolean due(long at) {
        if (now.reached(at)) {
            return true;
        }
        s.wakeAt = Math.min(s.wakeAt, at);
        return false;
    }
}
