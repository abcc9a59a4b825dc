package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;

import io.cle.ApiFormat;
import io.cle.election.internal.api.PodState;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.model.internal.TermAnnotation;
import io.cle.strategy.internal.Strategies;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A coordinator's view of one lease and its candidates, in virtual time. {@link #decide} decides, and carries out the
 * decision at once, like an API server that answers. Every decision is made for several orders of the candidates and
 * must be the same for all.
 */
final class ElectionDriver {

    static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    static final Duration DURATION = Duration.ofSeconds(15);
    private static final LeaseObservation.Observer OBSERVER = new LeaseObservation.Observer(DURATION, false);
    private static final PodRef POD = new PodRef(new ObjectKey("shop", "pod"), "uid");
    private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

    private final Map<String, CandidateObservation> candidates = new LinkedHashMap<>();
    private final Random orders = new Random(42);
    private LeaseObservation observation;
    private LastHolder lastHolder = LastHolder.UNKNOWN;
    private ElectionPolicy policy = ElectionPolicy.DEFAULT;
    private @Nullable String configured;
    private HoldOffs holdOffs = HoldOffs.NONE;
    private HolderPod pod = HolderPod.NOT_LOOKED_AT;
    private long nanos = Duration.ofHours(1).toNanos();
    private int versions = 100;

    ElectionDriver() {
        observation = LeaseObservation.first(null, now(), OBSERVER);
    }

    // ---- candidates ------------------------------------------------------------------------------------------------

    /** A candidate joins, which the coordinator observes. */
    ElectionDriver comes(String name, String version, UnaryOperator<Candidate.Builder> more) {
        candidates.put(name, CandidateObservation.first(candidate(name, version, more), now(), true));
        lastHolder = lastHolder.stands(name);
        return this;
    }

    ElectionDriver comes(String name, String version) {
        return comes(name, version, candidate -> candidate);
    }

    /** Adds a candidate that joined before this coordinator started and hasn't renewed since. */
    ElectionDriver stands(String name, String version, UnaryOperator<Candidate.Builder> more) {
        candidates.put(name, CandidateObservation.first(candidate(name, version, more), now(), false));
        return this;
    }

    ElectionDriver stands(String name, String version) {
        return stands(name, version, candidate -> candidate);
    }

    /** Returns the coordinator's view of a candidate. */
    CandidateObservation candidate(String name) {
        return Objects.requireNonNull(candidates.get(name), name);
    }

    private Candidate candidate(String name, String version, UnaryOperator<Candidate.Builder> more) {
        Candidate.Builder builder = Candidate.builder(new ObjectKey("shop", name), LEASE)
                .compatibilityVersion(Version.parse(version))
                .binaryVersion(Version.parse(version))
                .creationTime(wall())
                .renewTime(wall());
        return more.apply(builder).build();
    }

    ElectionDriver goes(String name) {
        candidates.remove(name);
        lastHolder = lastHolder.gone(name, now());
        return this;
    }

    /** The candidate renews, and so acknowledges any ping. */
    ElectionDriver renews(String name) {
        Instant ping =
                Objects.requireNonNull(candidates.get(name), name).candidate().pingTime();
        Instant renewed = ping != null && ping.isAfter(wall()) ? ping : wall();
        return changes(name, candidate -> candidate.renewTime(renewed).pingTime(null));
    }

    ElectionDriver changes(String name, UnaryOperator<Candidate.Builder> change) {
        CandidateObservation known = Objects.requireNonNull(candidates.get(name), name);
        Candidate next = change.apply(known.candidate().toBuilder())
                .resourceVersion(String.valueOf(++versions))
                .build();
        candidates.put(name, known.seen(next, now()));
        return this;
    }

    // ---- the lease -------------------------------------------------------------------------------------------------

    /** An elected holder begins its term. */
    ElectionDriver begins(String holder) {
        CandidateObservation known = candidates.get(holder);
        PodRef holderPod = known == null ? null : known.candidate().pod();
        return writes(lease -> lease.holder(holder)
                .holderPod(holderPod == null ? null : holderPod.onLease())
                .leaseDuration(DURATION)
                .acquireTime(wall())
                .renewTime(wall())
                .term(TermAnnotation.begun(
                        "n1", "w1", Duration.ofSeconds(15), holder, wall(), TermAnnotation.Ended.NOTHING))
                .electedBy(Election.ELECTED_BY)
                .managed(true)
                .noEndOfTerm());
    }

    /** The holder renews the lease. */
    ElectionDriver holderRenews() {
        return writes(lease -> lease.renewTime(wall()));
    }

    /** The holder hands the lease over, with a later time than that of its last renewal. */
    ElectionDriver handsOver(@Nullable String to) {
        Instant time = wall().plusNanos(1000);
        TermAnnotation.Ended ended = held().endedWhenReplaced();
        return writes(lease -> lease.holder(to)
                .leaseDuration(Duration.ofSeconds(to == null ? 1 : 5))
                .acquireTime(time)
                .renewTime(time)
                .term(to == null ? TermAnnotation.released(ended) : TermAnnotation.granted(to, time, ended))
                .noEndOfTerm());
    }

    /** client-go acquires the lease without asking, and leaves the annotations unchanged. */
    ElectionDriver plainTakes(String holder) {
        return writes(lease ->
                lease.holder(holder).leaseDuration(DURATION).acquireTime(wall()).renewTime(wall()));
    }

    ElectionDriver writes(UnaryOperator<Lease.Builder> change) {
        Lease before = lease() == null ? Lease.builder(LEASE).build() : lease();
        see(change.apply(before.toBuilder())
                .resourceVersion(String.valueOf(++versions))
                .build());
        return this;
    }

    ElectionDriver deleted() {
        see(null);
        return this;
    }

    private void see(@Nullable Lease next) {
        holdOffs = holdOffs.seen(lease(), next, now());
        observation = observation.seen(next, now(), true, OBSERVER);
        pod = pod.seen(observation);
        if (next != null) {
            lastHolder = lastHolder.seen(next);
        }
    }

    // ---- the coordinator -------------------------------------------------------------------------------------------

    ElectionDriver configured(String strategy) {
        configured = strategy;
        return this;
    }

    /** Inspects the pod of the holder, which has missed a renewal. */
    ElectionDriver pod(PodState state) {
        pod = pod.lookedAt(observation.seenAt(), nanos, state, true);
        return this;
    }

    /** Inspects the pod of the holder, which renews. */
    ElectionDriver firstLook(PodState state) {
        pod = pod.lookedAt(observation.seenAt(), nanos, state, false);
        return this;
    }

    /** Returns the state of a pod with one container. */
    static PodState container(PodState.Phase phase) {
        return new PodState.Container(phase, 0, "run-0", "");
    }

    ElectionDriver after(Duration duration) {
        nanos += duration.toNanos();
        return this;
    }

    /** Decides, and carries out the decision. */
    Decision decide() {
        Decision decision = decideOnly();
        if (decision instanceof Decision.Elect elect) {
            see(stored(elect.desired()));
        } else if (decision instanceof Decision.EndTerm endTerm) {
            see(stored(endTerm.desired()));
        } else if (decision instanceof Decision.ForgetPreferred forget) {
            see(stored(forget.desired()));
        } else if (decision instanceof Decision.RecordStrategy recorded) {
            see(stored(recorded.desired()));
        } else if (decision instanceof Decision.Ping ping) {
            ping.candidates().forEach(this::ping);
        }
        return decision;
    }

    private void ping(Candidate asked) {
        CandidateObservation known = Objects.requireNonNull(candidates.get(asked.identity()));
        Candidate next = asked.toBuilder()
                .pingTime(asked.nextPing(wall()))
                .resourceVersion(String.valueOf(++versions))
                .build();
        candidates.put(asked.identity(), known.pinged(now()).seen(next, now()));
    }

    private Lease stored(Lease desired) {
        return desired.toBuilder().resourceVersion(String.valueOf(++versions)).build();
    }

    private Decision decideOnly() {
        List<CandidateObservation> listed = new ArrayList<>(candidates.values());
        Decision decision = election(listed).decide();
        for (int i = 0; i < 5; i++) {
            Collections.shuffle(listed, orders);
            assertThat(election(listed).decide())
                    .as("the order of the list doesn't matter")
                    .isEqualTo(decision);
        }
        return decision;
    }

    private Election election(List<CandidateObservation> listed) {
        List<CandidateObservation> alive = listed.stream()
                .filter(candidate -> !now().reached(candidate.expiresAt()))
                .toList();
        return new Election(
                LEASE,
                observation,
                alive,
                new StrategyRule(Strategies.builtIn())
                        .choose(
                                lease(),
                                Optional.ofNullable(configured),
                                Optional.empty(),
                                alive.stream()
                                        .map(CandidateObservation::candidate)
                                        .toList(),
                                ApiFormat.CRD),
                lastHolder,
                pod,
                holdOffs,
                policy,
                now());
    }

    // ---- state -----------------------------------------------------------------------------------------------------

    @Nullable
    Lease lease() {
        return observation.lease();
    }

    Lease held() {
        return Objects.requireNonNull(lease());
    }

    /** Returns the time from now until an instant. */
    Duration until(long instant) {
        return Duration.ofNanos(instant - nanos);
    }

    Moment now() {
        return new Moment(nanos, wall());
    }

    Instant wall() {
        return EPOCH.plusNanos(nanos);
    }

    static Candidate.Builder inPod(Candidate.Builder candidate) {
        return candidate.pod(POD);
    }

    static Candidate.Builder inContainer(Candidate.Builder candidate, String container) {
        return candidate.pod(new PodRef(POD.key(), POD.uid(), container));
    }

    static Candidate.Builder inAnotherPod(Candidate.Builder candidate) {
        return candidate.pod(new PodRef(new ObjectKey("shop", "another-pod"), "another-uid"));
    }
}
