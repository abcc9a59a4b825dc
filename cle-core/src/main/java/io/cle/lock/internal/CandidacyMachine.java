package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.cle.Timings;
import io.cle.lock.internal.CandidacyState.Phase;
import io.cle.lock.internal.CandidacyState.Request;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Moment;
import io.cle.model.internal.ResourceVersions;
import org.jspecify.annotations.Nullable;

import static io.cle.lock.internal.LockState.NEVER;

/**
 * The announcement of a candidate as a state machine: it is created, renewed every few minutes ({@code protocol.md#requests-and-limits}), renewed at
 * once when it is pinged ({@code safety.md#acknowledgement}), created again when another process deletes it, and finally withdrawn. Pure:
 * {@link #step} is a function of its arguments.
 * Rule: {@code safety.md#succession}.
 */
public final class CandidacyMachine {

    /** An event that a candidacy handles. */
    public sealed interface Event {

        /** The process joins the election. */
        record Announce() implements Event {}

        /** The process withdraws from the election. */
        record Withdraw() implements Event {}

        /**
         * The watch has delivered the candidate.
         *
         * @param listed whether it was in a list. A list is older than the known candidate only if etcd was restored ({@code safety.md#succession})
         */
        record Seen(Candidate candidate, boolean listed) implements Event {}

        /**
         * The watch has delivered that the candidate doesn't exist.
         *
         * @param resourceVersion the version of its deletion, or of a list that doesn't contain it; {@code null} if that isn't known
         */
        record Missing(@Nullable String resourceVersion) implements Event {}

        /** The watch has delivered a malformed candidate: another writer has changed it. */
        record Malformed() implements Event {}

        /** The answer to {@link Action.Create} or {@link Action.Renew}. */
        record WriteDone(ApiResult<Candidate> result) implements Event {}

        /** The answer to {@link Action.Delete}. */
        record DeleteDone(ApiResult<?> result) implements Event {}

        /** Another priority is to be announced; {@code null} for none. */
        record PriorityChanged(@Nullable Integer priority) implements Event {}

        /** The process can lead these leases of the group at present; at least one. */
        record LeasesChanged(Set<ObjectKey> leases) implements Event {}

        /** The instant of {@link CandidacyState#wakeAt()} is reached. */
        record Tick() implements Event {}
    }

    /** An action to carry out. */
    public sealed interface Action {

        /** Create the object; answer by {@link Event.WriteDone}. */
        record Create(Candidate candidate) implements Action {}

        /** Renew the object, which also acknowledges a ping; answer by {@link Event.WriteDone}. */
        record Renew(Candidate candidate) implements Action {}

        /** Delete the object; answer by {@link Event.DeleteDone}. */
        record Delete() implements Action {}

        /** Notify listeners that the candidate is announced. */
        record Announced() implements Action {}

        /** Notify the lock that the candidate was pinged: an election is in progress. */
        record ElectionStarted() implements Action {}

        /** Log a warning. */
        record Report(String message) implements Action {}

        /** Log that a request has failed and will be retried. */
        record RequestFailed(String message) implements Action {}
    }

    private static final int INVALID = 422;

    private final LockConfig config;
    private final LockConfig.Candidacy candidacy;
    private final CandidacyState s;
    private final Moment now;
    private final List<Action> actions = new ArrayList<>();

    private CandidacyMachine(LockConfig config, LockConfig.Candidacy candidacy, CandidacyState state, Moment now) {
        this.config = config;
        this.candidacy = candidacy;
        this.s = state;
        this.now = now;
    }

    /**
     * The result of a step.
     *
     * @param state the new state; applied before the first action is carried out
     * @param actions the actions to carry out, in this order
     */
    public record Outcome(CandidacyState state, List<Action> actions) {}

    /**
     * Returns the state after an event, and the actions to carry out.
     *
     * @param config of a coordinated lock
     * @param now the moment of the event; never earlier than that of the step before
     * @throws IllegalArgumentException if the lock is direct
     * @throws IllegalStateException if the event is impossible in this state
     */
    public static Outcome step(LockConfig config, CandidacyState state, Event event, Moment now) {
        LockConfig.Candidacy candidacy = config.candidacy();
        if (candidacy == null) {
            throw new IllegalArgumentException("a direct lock announces no candidate");
        }
        return new CandidacyMachine(config, candidacy, state.copy(), now).step(event);
    }

    private Outcome step(Event event) {
        handle(event);
        s.wakeAt = NEVER;
        advance();
        return new Outcome(s, List.copyOf(actions));
    }

    private void handle(Event event) {
        if (event instanceof Event.Announce) {
            s.becomeWanted();
            s.givenUp = false;
            s.reportedAnnounced = false;
            s.retryAt = now.nanos();
        } else if (event instanceof Event.Withdraw) {
            s.becomeUnwanted();
            s.retryAt = now.nanos();
            s.giveUpAt = now.plus(config.timings().retryPeriod());
        } else if (event instanceof Event.Seen seen) {
            seen(seen.candidate(), seen.listed());
        } else if (event instanceof Event.Missing missing) {
            missing(missing);
        } else if (event instanceof Event.Malformed) {
            s.changed = true;
        } else if (event instanceof Event.WriteDone done) {
            require(s.inFlight == Request.CREATE || s.inFlight == Request.RENEW, done);
            s.inFlight = null;
            if (!answerIsOutdated()) {
                written(done.result());
            }
        } else if (event instanceof Event.DeleteDone done) {
            require(s.inFlight == Request.DELETE, done);
            s.inFlight = null;
            if (!answerIsOutdated()) {
                deleted(done.result());
            }
        } else if (event instanceof Event.PriorityChanged changed) {
            s.priority = changed.priority();
            s.changed = true;
        } else if (event instanceof Event.LeasesChanged changed) {
            s.changed |= !changed.leases().equals(leases());
            s.leases = changed.leases();
        } else if (!(event instanceof Event.Tick)) {
            throw new IllegalArgumentException("unknown event " + event);
        }
    }

    /** Returns whether the request was sent before the stores were replaced, in which case the candidate is written again. */
    private boolean answerIsOutdated() {
        boolean outdated = s.outdated;
        s.outdated = false;
        s.changed |= outdated;
        return outdated;
    }

    private void require(boolean inFlight, Event answer) {
        if (!inFlight) {
            throw new IllegalStateException("the answer to a request that is not in flight: " + answer + " in " + s);
        }
    }

    // ---- handling the event --------------------------------------------------------------------------------------

    /**
     * Handles a delivered candidate. One that appears after the withdrawal belongs to another process of the same name and is left alone, unless it
     * is this process's own late creation.
     */
    private void seen(Candidate candidate, boolean listed) {
        if (listed) {
            s.deletionVersion = null;
        } else if (s.seen != null && ResourceVersions.older(candidate.resourceVersion(), s.seen.resourceVersion())) {
            return;
        }
        s.seen = candidate;
        if (!(s.phase() instanceof Phase.Withdrawn) || Objects.equals(candidate.renewTime(), s.writtenTime)) {
            s.becomePresent();
            correct(candidate);
        }
    }

    /**
     * Schedules a write that corrects another writer's change or a late write of this process. It isn't sent at once: two processes of the same name
     * would otherwise overwrite each other continuously.
     */
    private void correct(Candidate candidate) {
        if (s.wanted() && !announcesTheSame(candidate)) {
            s.renewAt = Math.min(s.renewAt, now.plus(config.timings().leaseDuration()));
        }
    }

    private void missing(Event.Missing missing) {
        // Identifies answers to writes from before the deletion.
        if (missing.resourceVersion() != null) {
            s.deletionVersion = missing.resourceVersion();
        }
        if (s.inFlight != null) {
            s.becomeUncertain();
        } else {
            s.becomeAbsent();
        }
    }

    /** Whether a candidate is as this process has last written it. */
    private boolean announcesTheSame(Candidate candidate) {
        Candidate own = s.written;
        return own == null
                || (Objects.equals(candidate.renewTime(), own.renewTime())
                        && candidate.lease().equals(own.lease())
                        && candidate.leases().equals(own.leases())
                        && candidate.strategy().equals(own.strategy())
                        && Objects.equals(candidate.priority(), own.priority())
                        && Objects.equals(candidate.binaryVersion(), own.binaryVersion())
                        && Objects.equals(candidate.compatibilityVersion(), own.compatibilityVersion()));
    }

    private void written(ApiResult<Candidate> result) {
        if (result instanceof ApiResult.Ok<Candidate> ok) {
            s.failures = 0;
            stored(ok.value());
        } else if (result instanceof ApiResult.Changed<Candidate> changed) {
            stored(changed.value());
            if (changed.value().ackPending()) {
                // Otherwise the acknowledgement would be repeated as fast as the API server answers.
                failed(result);
            } else {
                s.failures = 0;
            }
        } else if (result instanceof ApiResult.Conflict<Candidate>) {
            s.becomePresent();
            s.renewAt = now.nanos();
        } else if (result instanceof ApiResult.Gone<Candidate>) {
            s.becomeAbsent();
            failed(result);
        } else {
            failed(result);
        }
    }

    /**
     * Records that the candidate is announced. If it was stored differently than written ({@code safety.md#write-that-stays}), the next write would
     * be, too, so it isn't repeated early.
     */
    private void stored(Candidate candidate) {
        s.giveUpAt = now.plus(config.timings().retryPeriod());
        s.written = candidate;
        if (!overtaken(candidate)) {
            s.seen = candidate;
            s.becomePresent();
        }
        s.renewAt = now.plus(candidacy.renewInterval());
        if (s.seen != null) {
            correct(s.seen);
        }
        if (!s.reportedAnnounced && s.wanted()) {
            s.reportedAnnounced = true;
            actions.add(new Action.Announced());
        }
    }

    /**
     * Whether the watch delivered something newer, a ping or a deletion, before the answer arrived. A version that was known when the write was sent
     * isn't newer: after a restore of etcd it would make every acknowledgement cause another one.
     */
    private boolean overtaken(Candidate written) {
        String version = written.resourceVersion();
        boolean changedSince = s.seen != null
                && !Objects.equals(s.seen.resourceVersion(), s.versionWhenSent)
                && ResourceVersions.older(version, s.seen.resourceVersion());
        return changedSince || ResourceVersions.older(version, s.deletionVersion);
    }

    private void deleted(ApiResult<?> result) {
        if (result instanceof ApiResult.Ok<?> || result instanceof ApiResult.Gone<?>) {
            s.failures = 0;
            s.becomeAbsent();
        } else {
            failed(result);
        }
    }

    private void failed(ApiResult<?> result) {
        s.failures++;
        boolean refused = result instanceof ApiResult.Refused<?> || result instanceof ApiResult.Changed<?>;
        Timings timings = config.timings();
        Duration wait = Retries.delay(s.failures, timings, refused ? timings.leaseDuration() : timings.retryPeriod());
        s.retryAt = now.plus(wait);
        actions.add(
                new Action.RequestFailed("the candidate " + candidacy.template().key() + " could not be "
                        + (s.wanted() ? "announced" : "withdrawn") + ": " + result.describe() + outdatedSchema(result)
                        + "; trying again in "
                        + wait.toMillis()
                        + " ms (failure " + s.failures + ")"));
    }

    /** Returns a hint if an old CRD may have refused the fields of a group. */
    private String outdatedSchema(ApiResult<?> result) {
        boolean mayBe = result instanceof ApiResult.Refused<?> refused
                && refused.status() == INVALID
                && candidacy.template().group() != null;
        return mayBe
                ? "; if the CRD LeaseCandidate is older than shards and groups, apply the one of the coordinator's version"
                : "";
    }

    // ---- doing what is due ---------------------------------------------------------------------------------------

    private void advance() {
        giveUpWithdrawing();
        if (s.inFlight != null) {
            return;
        }
        if (s.phase() instanceof Phase.Withdrawing) {
            withdraw();
        } else if (s.phase() instanceof Phase.Announced) {
            renewWhenDue();
        } else if (s.phase() instanceof Phase.Announcing && due(s.retryAt)) {
            s.inFlight = Request.CREATE;
            s.changed = false;
            actions.add(new Action.Create(content(now.wall())));
        }
    }

    /**
     * Leaves a candidate to expire if it can't be deleted in time: a stopped lock has to end.
     */
    private void giveUpWithdrawing() {
        if (!s.wanted() && !s.withdrawn() && due(s.giveUpAt)) {
            s.becomeAbsent();
            s.givenUp = true;
            actions.add(new Action.Report("gave up withdrawing the candidate "
                    + candidacy.template().key() + "; it expires "
                    + candidacy.template().validity().toSeconds() + " s after its last renewal"));
        }
    }

    private void withdraw() {
        if (due(s.retryAt)) {
            s.inFlight = Request.DELETE;
            actions.add(new Action.Delete());
        }
    }

    private void renewWhenDue() {
        Candidate stored = s.seen;
        Instant ping = stored != null && stored.ackPending() ? stored.pingTime() : null;
        if (ping != null && !ping.equals(s.reportedPing)) {
            actions.add(new Action.ElectionStarted());
            s.reportedPing = ping;
        }
        boolean atOnce = ping != null || s.changed || !s.reportedAnnounced;
        if (!due(s.failures > 0 ? s.retryAt : atOnce ? now.nanos() : s.renewAt)) {
            return;
        }
        if (stored != null && !stored.lease().equals(candidacy.template().lease())) {
            // An earlier process of this name was a candidate for another lease, which is immutable.
            withdraw();
        } else {
            s.inFlight = Request.RENEW;
            s.changed = false;
            actions.add(new Action.Renew(content(renewTime(stored))));
        }
    }

    /**
     * Returns a renew time that isn't before a ping of a coordinator whose clock is ahead. In the native format the ping stays on the object, and an
     * earlier renew time would revoke the acknowledgement.
     */
    private Instant renewTime(@Nullable Candidate stored) {
        Instant ping = stored == null ? null : stored.pingTime();
        if (stored == null || ping == null || !ping.isAfter(now.wall())) {
            return now.wall();
        }
        return stored.ackPending()
                ? ping
                : Objects.requireNonNull(stored.renewTime(), "acknowledged by it")
                        .plus(1, ChronoUnit.MICROS);
    }

    /** Returns the leases that the candidate announces it can lead. */
    private Set<ObjectKey> leases() {
        return s.leases == null ? candidacy.template().leases() : s.leases;
    }

    private Candidate content(Instant renewTime) {
        s.writtenTime = renewTime;
        s.versionWhenSent = s.seen == null ? null : s.seen.resourceVersion();
        s.deletionVersion = null;
        Candidate.Builder candidate =
                candidacy.template().toBuilder().priority(s.priority).renewTime(renewTime);
        if (s.leases != null) {
            candidate.leases(s.leases);
        }
        return candidate.build();
    }

    /** Returns whether an instant has passed; otherwise schedules the next step for it. */
    private boolean due(long at) {
        if (now.reached(at)) {
            return true;
        }
        s.wakeAt = Math.min(s.wakeAt, at);
        return false;
    }
}
