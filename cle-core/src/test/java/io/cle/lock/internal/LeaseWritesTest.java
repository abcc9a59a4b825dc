package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import io.cle.KeyComparison;
import io.cle.Timings;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Rules: {@code protocol.md#objects}, {@code safety.md#own-record}. */
class LeaseWritesTest {

    private static final Moment NOW = new Moment(0, Instant.parse("2026-01-01T10:00:00.7Z"));
    private static final LeaseWrites.Writer WRITER = new LeaseWrites.Writer("n1", "w1");
    private static final LockConfig WHOLE_SECONDS = Race.direct("a", null, Duration.ofSeconds(1));

    @Test
    void twoAcquisitionsWithinOneSecondHaveTermAnnotationsOfTwoTerms() {
        Lease first = LeaseWrites.acquisition(WHOLE_SECONDS, null, WRITER, NOW);
        Lease second = LeaseWrites.acquisition(WHOLE_SECONDS, first, WRITER, NOW);

        assertThat(first.confirmed()).isTrue();
        assertThat(second.confirmed()).isTrue();
        assertThat(second.term()).isNotEqualTo(first.term());
    }

    @Test
    void timesAreWrittenInThePrecisionOfTheFormat() {
        Lease acquired = LeaseWrites.acquisition(WHOLE_SECONDS, null, WRITER, NOW);

        assertThat(acquired.acquireTime()).isEqualTo("2026-01-01T10:00:00Z");
        assertThat(acquired.renewTime()).isEqualTo("2026-01-01T10:00:00Z");
    }

    @Test
    void transitionsStayAtTheLargestNumber() {
        Lease exhausted = Lease.builder(Race.direct("a", null).lease())
                .holder("b")
                .acquireTime(NOW.wall())
                .renewTime(NOW.wall())
                .transitions(Integer.MAX_VALUE)
                .endOfTerm("c", null)
                .build();

        assertThat(LeaseWrites.acquisition(WHOLE_SECONDS, exhausted, WRITER, NOW)
                        .transitions())
                .isEqualTo(Integer.MAX_VALUE);
        assertThat(LeaseWrites.handOver(WHOLE_SECONDS, exhausted, null, NOW).transitions())
                .isEqualTo(Integer.MAX_VALUE);
    }

    /** Returns a record renewed by a clock that is ahead of this process's. */
    private static Lease renewedAhead(Duration ahead) {
        return Lease.builder(new ObjectKey("shop", "orders"))
                .resourceVersion("7")
                .renewTime(NOW.wall().plus(ahead))
                .build();
    }

    @Test
    void anAcquisitionOfARecordFromAClockThatIsAheadHasALaterTime() {
        Lease ahead = renewedAhead(Duration.ofSeconds(5));

        assertThat(LeaseWrites.acquisition(Race.direct("a", null), ahead, WRITER, NOW)
                        .renewTime())
                .isAfter(ahead.renewTime());
    }

    @Test
    void anAcquisitionOfARecordFromAClockThatIsHoursAheadHasTheOwnTime() {
        Lease ahead = renewedAhead(Duration.ofHours(2));

        assertThat(LeaseWrites.acquisition(Race.direct("a", null), ahead, WRITER, NOW)
                        .renewTime())
                .isEqualTo(NOW.wall());
    }

    @Test
    void aPreemptionOfAHolderOfTheLongestDurationFitsIntoTheField() {
        Duration longest = Duration.ofSeconds(Integer.MAX_VALUE);
        Lease held = Lease.builder(new ObjectKey("shop", "orders"))
                .resourceVersion("7")
                .holder("plain")
                .leaseDuration(longest)
                .renewTime(NOW.wall())
                .build();
        LeaseObservation observation = LeaseObservation.first(
                held, NOW, new LeaseObservation.Observer(Timings.DEFAULT.leaseDuration(), false));

        Lease preempted = LeaseWrites.preemption(Race.direct("a", null), observation, WRITER, NOW);

        assertThat(preempted.leaseDuration()).isEqualTo(longest);
        assertThat(preempted.term().duration()).isEqualTo(longest);
    }

    /** Lets the admission policy distinguish the holder's pod from others. */
    @Nested
    class TheUidOfTheHoldersPod {

        private final LockConfig inPod = candidate(new PodRef(new ObjectKey("shop", "pod-a"), "uid-a"));

        private LockConfig candidate(@Nullable PodRef pod) {
            ObjectKey lease = new ObjectKey("shop", "orders");
            return new LockConfig(
                    lease,
                    "orders-a",
                    Timings.DEFAULT,
                    Duration.ofSeconds(30),
                    new LockConfig.Fallback(true, Duration.ofSeconds(30)),
                    new LockConfig.Candidacy(
                            Candidate.builder(new ObjectKey("shop", "orders-a"), lease)
                                    .pod(pod)
                                    .build(),
                            Duration.ofMinutes(5)),
                    null,
                    Duration.ofNanos(1000));
        }

        @Test
        void theUidOfTheHoldersPodIsWrittenWithTheAcquisitionAndEachRenewal() {
            Lease acquired = LeaseWrites.acquisition(inPod, null, WRITER, NOW);
            Lease edited = acquired.toBuilder().holderPod(null).build();

            assertThat(acquired.holderPod()).isEqualTo("uid-a");
            LockState.OwnTerm own =
                    new LockState.OwnTerm(acquired.term(), acquired.transitions(), acquired.renewTime());
            assertThat(LeaseWrites.renewal(inPod, edited, own, WRITER, NOW).holderPod())
                    .isEqualTo("uid-a");
        }

        @Test
        void theUidOfTheHoldersPodIsWrittenWithTheContainerThatTheCandidateHasNamed() {
            LockConfig named = candidate(new PodRef(new ObjectKey("shop", "pod-a"), "uid-a", "app"));

            assertThat(LeaseWrites.acquisition(named, null, WRITER, NOW).holderPod())
                    .isEqualTo("uid-a/app");
        }

        @Test
        void theUidOfTheHoldersPodIsGoneWithTheReleaseAndTheHandOver() {
            Lease acquired = LeaseWrites.acquisition(inPod, null, WRITER, NOW);
            Lease asked = acquired.toBuilder().endOfTerm("orders-b", null).build();

            assertThat(LeaseWrites.handOver(inPod, acquired, null, NOW).holderPod())
                    .isNull();
            assertThat(LeaseWrites.handOver(inPod, asked, null, NOW).holderPod())
                    .isNull();
        }

        /** The admission policy lets a holder's pod write nothing else (docs/threat-model.md). */
        @Test
        void theUidOfTheHoldersPodGoesWithARecordThatKeepsOthersAwayForFiveSecondsAtMostAndAsksForNothing() {
            Lease asked = LeaseWrites.acquisition(inPod, null, WRITER, NOW).toBuilder()
                    .endOfTerm("orders-b", null)
                    .build();

            for (String successor : new String[] {null, "orders-c"}) {
                Lease given = LeaseWrites.handOver(inPod, asked, successor, NOW);
                assertThat(given.leaseDuration()).isLessThanOrEqualTo(Duration.ofSeconds(5));
                assertThat(given.endOfTerm()).isFalse();
                assertThat(given.preferredHolder()).isNull();
            }
            Lease released =
                    LeaseWrites.handOver(inPod, asked.toBuilder().noEndOfTerm().build(), null, NOW);
            assertThat(released.leaseDuration()).isEqualTo(Duration.ofSeconds(1));
        }

        @Test
        void theUidOfTheHoldersPodIsNotThatOfTheHolderBeforeIfOnesOwnIsNotKnown() {
            Lease others = Lease.builder(inPod.lease())
                    .holder("orders-b")
                    .holderPod("uid-b")
                    .build();

            assertThat(LeaseWrites.acquisition(candidate(null), others, WRITER, NOW)
                            .holderPod())
                    .isNull();
        }
    }

    @Nested
    class APreemption {

        private Duration preempts(Duration left) {
            Moment at = new Moment(Duration.ofHours(1).toNanos(), NOW.wall());
            Lease held = Lease.builder(WHOLE_SECONDS.lease())
                    .holder("b")
                    .acquireTime(NOW.wall())
                    .renewTime(NOW.wall())
                    .leaseDuration(Duration.ofSeconds(15))
                    .build();
            Moment renewed = new Moment(at.plus(left.minusSeconds(15)), NOW.wall());
            Lease preempted = LeaseWrites.preemption(
                    WHOLE_SECONDS,
                    LeaseObservation.first(held, renewed, new LeaseObservation.Observer(Duration.ofSeconds(15), false)),
                    WRITER,
                    at);
            Duration waits = Objects.requireNonNull(preempted.term()).duration();
            assertThat(preempted.preempting()).isTrue();
            assertThat(preempted.leaseDuration()).isEqualTo(waits.plusSeconds(15));
            return waits;
        }

        @Test
        void aPreemptionWaitsForTheHoldersTerm() {
            assertThat(preempts(Duration.ofSeconds(7))).isEqualTo(Duration.ofSeconds(7));
        }

        @Test
        void aPreemptionWaitsRatherTooLongThanTooShort() {
            assertThat(preempts(Duration.ofSeconds(7).plusNanos(1))).isEqualTo(Duration.ofSeconds(8));
            assertThat(preempts(Duration.ofNanos(1))).isEqualTo(Duration.ofSeconds(1));
        }

        @Test
        void aPreemptionWaitsForNoTermThatHasEnded() {
            assertThat(preempts(Duration.ZERO)).isZero();
            assertThat(preempts(Duration.ofSeconds(-3))).isZero();
        }
    }

    /** KEP-2835. */
    @Nested
    class TheHoldersKey {

        private final LockConfig keyed =
                Race.direct("a", new LockConfig.Takeover("5", KeyComparison.largestNumber(), Duration.ofSeconds(40)));
        private final Lease asked = LeaseWrites.acquisition(keyed, null, WRITER, NOW).toBuilder()
                .endOfTerm("b", "9")
                .build();

        @Test
        void theHoldersKeyIsWrittenWithTheAcquisition() {
            assertThat(asked.holderKey()).isEqualTo("5");
        }

        @Test
        void theHoldersKeyIsThatOfThePreferredHolderAfterAHandOver() {
            assertThat(LeaseWrites.handOver(keyed, asked, null, NOW).holderKey())
                    .isEqualTo("9");
        }

        @Test
        void theHoldersKeyIsNotKnownAfterAHandOverToAnotherSuccessor() {
            assertThat(LeaseWrites.handOver(keyed, asked, "c", NOW).holderKey()).isNull();
        }

        @Test
        void theHoldersKeyIsGoneWithARelease() {
            Lease keptForOneself = asked.toBuilder().endOfTerm("a", "5").build();

            assertThat(LeaseWrites.handOver(keyed, keptForOneself, null, NOW).holderKey())
                    .isNull();
        }

        @Test
        void theHoldersKeyIsThatOfTheCandidateThatAsks() {
            assertThat(LeaseWrites.yieldRequest(keyed, asked).preferredKey()).isEqualTo("5");
        }
    }

    @Nested
    class AHandOver {

        private final Lease held = LeaseWrites.acquisition(WHOLE_SECONDS, null, WRITER, NOW);

        @Test
        void aHandOverGivesTheSuccessorFiveSecondsToBegin() {
            assertThat(LeaseWrites.handOver(WHOLE_SECONDS, held, "b", NOW).leaseDuration())
                    .isEqualTo(Duration.ofSeconds(5));
        }

        @Test
        void aHandOverToANamedSuccessorDoesNotSayThatACoordinatorHasElectedIt() {
            Lease elected = held.toBuilder()
                    .electedBy("coordinated-election-controller")
                    .endOfTerm("c", null)
                    .build();

            assertThat(LeaseWrites.handOver(WHOLE_SECONDS, elected, "b", NOW).electedBy())
                    .isEqualTo("candidate-hand-over");
            assertThat(LeaseWrites.handOver(WHOLE_SECONDS, elected, null, NOW).electedBy())
                    .as("to the coordinator's preferred holder")
                    .isEqualTo("coordinated-election-controller");
        }

        @Test
        void aHandOverGivesTheSuccessorNoMoreThanALeaseDuration() {
            LockConfig quick = new LockConfig(
                    WHOLE_SECONDS.lease(),
                    "a",
                    new Timings(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500)),
                    Duration.ofSeconds(30),
                    new LockConfig.Fallback(false, Duration.ZERO),
                    null,
                    null,
                    Duration.ofSeconds(1));

            assertThat(LeaseWrites.handOver(quick, held, "b", NOW).leaseDuration())
                    .isEqualTo(Duration.ofSeconds(3));
        }
    }

    @Nested
    class Transitions {

        private int after(Lease record) {
            return LeaseWrites.acquisition(WHOLE_SECONDS, record, WRITER, NOW).transitions();
        }

        private Lease.Builder record() {
            return Lease.builder(WHOLE_SECONDS.lease()).transitions(3);
        }

        @Test
        void transitionsAreNotCountedByTheFirstAcquisitionOfARecordThatWasNeverHeld() {
            assertThat(after(record().build())).isEqualTo(3);
        }

        @Test
        void transitionsAreCountedOnceTheRecordWasHeld() {
            assertThat(after(record().acquireTime(NOW.wall()).build())).isEqualTo(4);
            assertThat(after(record().renewTime(NOW.wall()).build())).isEqualTo(4);
        }

        @Test
        void transitionsAreNotCountedIfTheHolderStaysTheSame() {
            assertThat(after(record().holder("a").renewTime(NOW.wall()).build()))
                    .isEqualTo(3);
        }
    }
}
