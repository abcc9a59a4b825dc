package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

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
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A holder that stops renewing is replaced the moment its lease expires (protocol.md#the-holder-goes-away, safety.md#terminated-holder). */
class SilentHolderTest {

    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration RENEWED = Duration.ofMinutes(1);
    private static final int MOST_DECISIONS = 1_000;
    private static final Duration ACK_TIMEOUT = ElectionPolicy.DEFAULT.ackTimeout();

    private final Map<String, CandidateObservation> candidates = new TreeMap<>();
    private Duration standsSince = Duration.ZERO;
    private Duration leaseDuration = Duration.ofSeconds(15);
    private HolderPod pod = HolderPod.NOT_LOOKED_AT;
    private Duration now = RENEWED;

    @Test
    void thatAcknowledgesNoPingIsReplacedTheMomentItsLeaseExpires() {
        deadIsReplacedTheMomentItsLeaseExpires();
    }

    @Test
    void isReplacedInTimeAlsoWhereALeaseIsNoLongerThanAnAnswerMayTake() {
        leaseDuration = ACK_TIMEOUT;
        deadIsReplacedTheMomentItsLeaseExpires();
    }

    @Test
    void isReplacedInTimeAlsoWhereItHasRenewedItsCandidacyJustBeforeItDied() {
        leaseDuration = ACK_TIMEOUT;
        standsSince = RENEWED.minusMillis(100);
        deadIsReplacedTheMomentItsLeaseExpires();
    }

    @Test
    void thatAnswersAfterAllIsStillTheBest() {
        stands("slow", "1.0.0", null);
        stands("alive", "1.1.0", null);

        Decision.Elect elect = decideUntilElected(Set.of("slow", "alive"));

        assertThat(elect.desired().holder()).isEqualTo("slow");
    }

    @Test
    void isPingedLikeTheOthersIfNoneCouldBePingedBeforeTheExpiry() {
        stands("dead", "1.0.0", null);
        stands("alive", "1.1.0", null);
        now = expiry().plusSeconds(1);

        assertThat(pinged()).containsExactly("dead");
        now = now.plusSeconds(1);
        assertThat(pinged()).containsExactly("alive");
    }

    private List<String> pinged() {
        Decision decision = decideOnce(Set.of("alive"));
        assertThat(decision).isInstanceOf(Decision.Ping.class);
        return ((Decision.Ping) decision)
                .candidates().stream().map(Candidate::identity).toList();
    }

    @Test
    void isWaitedForLikeTheOthersIfItIsPingedAtTheExpiryItself() {
        stands("dead", "1.0.0", null);
        stands("alive", "1.1.0", null);
        now = expiry();

        assertThat(pinged()).containsExactly("dead");
        now = now.plusSeconds(1);
        assertThat(pinged()).containsExactly("alive");

        assertThat(decide())
                .isInstanceOfSatisfying(
                        Decision.WaitUntil.class,
                        wait -> assertThat(wait.recheckAt())
                                .isEqualTo(expiry().plus(ACK_TIMEOUT).toNanos()));
    }

    /** The ping may have been sent for another lease, and fail. */
    @Test
    void isDecidedAboutAgainWhenItShouldHaveAnsweredIfThereIsNoOtherCandidate() {
        stands("dead", "1.0.0", null);
        Duration pinged = expiry().minusSeconds(2);
        candidates.computeIfPresent("dead", (name, candidate) -> candidate.pinged(at(pinged)));
        now = expiry();

        assertThat(decide().recheckAt()).isEqualTo(pinged.plus(ACK_TIMEOUT).toNanos());
    }

    /** Otherwise its time to answer would never run out if leases of one group missed renewals in turn. */
    @Test
    void aCandidateThatHasStillToAnswerIsNotPingedAgainWhenTheHolderMissesARenewal() {
        stands("dead", "1.0.0", null);
        stands("gone", "1.1.0", null);
        stands("alive", "1.2.0", null);
        Duration early = expiry().minus(ACK_TIMEOUT);
        candidates.computeIfPresent("gone", (name, candidate) -> candidate.pinged(at(early.minusSeconds(1))));
        now = early;

        assertThat(pinged()).containsExactly("dead", "alive");
    }

    @Test
    void hasItsPodLookedAtEveryTwoSecondsUntilTheLeaseExpires() {
        stands("dead", "1.0.0", "dead-pod");
        stands("alive", "1.1.0", null);
        int looks = 0;

        for (int i = 0; i < MOST_DECISIONS && now.compareTo(expiry()) < 0; i++) {
            looks += decideOnce(Set.of("alive")) instanceof Decision.LookAtPod ? 1 : 0;
        }

        assertThat(looks).as("from 3.5 s after the renewal until 15 s").isEqualTo(6);
    }

    private void deadIsReplacedTheMomentItsLeaseExpires() {
        stands("dead", "1.0.0", null);
        stands("alive", "1.1.0", null);

        Decision.Elect elect = decideUntilElected(Set.of("alive"));

        assertThat(elect.desired().holder()).isEqualTo("alive");
        assertThat(now).isEqualTo(expiry());
    }

    private void stands(String identity, String version, String podName) {
        Candidate candidate = Candidate.builder(new ObjectKey("shop", identity), LEASE)
                .binaryVersion(Version.parse(version))
                .compatibilityVersion(Version.parse(version))
                .renewTime(EPOCH)
                .pod(podName == null ? null : new PodRef(new ObjectKey("shop", podName), "uid-1"))
                .build();
        candidates.put(identity, CandidateObservation.first(candidate, at(standsSince), true));
    }

    private Decision.Elect decideUntilElected(Set<String> answering) {
        for (int i = 0; i < MOST_DECISIONS && now.compareTo(expiry().plus(ACK_TIMEOUT.multipliedBy(2))) < 0; i++) {
            if (decideOnce(answering) instanceof Decision.Elect elect) {
                return elect;
            }
        }
        throw new AssertionError("no candidate was elected until " + now);
    }

    /** Decides, carries out the decision and advances to the next. */
    private Decision decideOnce(Set<String> answering) {
        Decision decision = decide();
        if (decision instanceof Decision.Ping ping) {
            for (Candidate asked : ping.candidates()) {
                CandidateObservation pinged = candidates.get(asked.identity()).pinged(at(now));
                candidates.put(
                        asked.identity(), answering.contains(asked.identity()) ? answered(pinged, asked) : pinged);
            }
        } else if (decision instanceof Decision.LookAtPod look) {
            pod = pod.lookedAt(RENEWED.toNanos(), now.toNanos(), new PodState.Unclear("not reported"), look.silent());
        } else if (decision instanceof Decision.WaitUntil wait) {
            now = Duration.ofNanos(wait.recheckAt());
        }
        return decision;
    }

    private CandidateObservation answered(CandidateObservation pinged, Candidate asked) {
        return pinged.seen(asked.toBuilder().renewTime(at(now).wall()).build(), at(now));
    }

    private Decision decide() {
        Lease lease = Lease.builder(LEASE)
                .resourceVersion("1")
                .holder(holder())
                .leaseDuration(leaseDuration)
                .acquireTime(EPOCH)
                .renewTime(EPOCH)
                .electedBy("coordinated-election-controller")
                .term(TermAnnotation.begun("nonce", "w1", leaseDuration, holder(), EPOCH, TermAnnotation.Ended.NOTHING))
                .holderPod("uid-1")
                .managed(true)
                .build();
        List<Candidate> all = candidates.values().stream()
                .map(CandidateObservation::candidate)
                .toList();
        return new Election(
                        LEASE,
                        LeaseObservation.first(lease, at(RENEWED), new LeaseObservation.Observer(leaseDuration, false)),
                        List.copyOf(candidates.values()),
                        new StrategyRule(Strategies.builtIn())
                                .choose(lease, Optional.empty(), Optional.empty(), all, ApiFormat.CRD),
                        LastHolder.UNKNOWN.seen(lease),
                        pod,
                        HoldOffs.NONE,
                        ElectionPolicy.DEFAULT,
                        at(now))
                .decide();
    }

    private String holder() {
        return candidates.containsKey("dead") ? "dead" : "slow";
    }

    private Duration expiry() {
        return RENEWED.plus(leaseDuration);
    }

    private static Moment at(Duration sinceEpoch) {
        return new Moment(sinceEpoch.toNanos(), EPOCH.plus(sinceEpoch));
    }
}
