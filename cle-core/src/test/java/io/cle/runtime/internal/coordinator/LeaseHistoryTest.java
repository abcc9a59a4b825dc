package io.cle.runtime.internal.coordinator;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;

import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.runtime.internal.coordinator.ElectionView.PastTerm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseHistoryTest {

    private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

    private final LeaseHistory history = new LeaseHistory();
    private static final LeaseObservation.Observer OBSERVER =
            new LeaseObservation.Observer(Duration.ofSeconds(15), false);

    private @Nullable LeaseObservation known;

    private static Moment at(double seconds) {
        Duration since = Duration.ofMillis(Math.round(seconds * 1000));
        return new Moment(since.toNanos(), START.plus(since));
    }

    private static Instant time(double seconds) {
        return at(seconds).wall();
    }

    private static Lease heldBy(@Nullable String holder, double acquired, double renewed) {
        return Lease.builder(new ObjectKey("shop", "orders"))
                .holder(holder)
                .acquireTime(time(acquired))
                .renewTime(time(renewed))
                .build();
    }

    private void observe(@Nullable Lease lease, double seconds) {
        LeaseObservation before = known;
        LeaseObservation after = before == null
                ? LeaseObservation.first(lease, at(seconds), OBSERVER)
                : before.seen(lease, at(seconds), true, OBSERVER);
        known = after;
        history.observed(before, after, at(seconds));
    }

    @Nested
    class Terms {

        @Test
        void beginWhenAHolderIsSeenToHaveBegun() {
            observe(null, 0);
            observe(heldBy("a", 5, 5), 5);

            assertThat(history.terms()).containsExactly(new PastTerm("a", time(5), null, false));
        }

        @Test
        void hadBegunBeforeWhenTheyAreFoundAtFirstSight() {
            observe(heldBy("a", -100, -1), 0);

            assertThat(history.terms()).containsExactly(new PastTerm("a", time(0), null, true));
        }

        @Test
        void goOnWhileTheLeaseIsRenewed() {
            observe(heldBy("a", 0, 0), 0);
            observe(heldBy("a", 0, 3), 3);

            assertThat(history.terms()).hasSize(1);
        }

        @Test
        void endWhenTheLeaseIsReleasedAndTheNextOneBegins() {
            observe(heldBy("a", 0, 0), 0);
            observe(heldBy(null, 0, 4), 4);
            observe(heldBy("b", 4.02, 4.02), 4.02);

            assertThat(history.terms())
                    .containsExactly(
                            new PastTerm("a", time(0), time(4), true), new PastTerm("b", time(4.02), null, false));
        }

        @Test
        void endNoLaterThanTheLeaseHasExpired() {
            observe(heldBy("a", 0, 0), 0);
            observe(heldBy("b", 40, 40), 40);

            assertThat(history.terms())
                    .containsExactly(
                            new PastTerm("a", time(0), time(15), true), new PastTerm("b", time(40), null, false));
        }

        @Test
        void areTwoWhenTheSameLeaderAcquiresTheLeaseAgain() {
            observe(heldBy("a", 0, 0), 0);
            observe(heldBy("a", 9, 9), 9);

            assertThat(history.terms()).hasSize(2);
        }

        @Test
        void endWhenTheLeaseIsDeleted() {
            observe(heldBy("a", 0, 0), 0);
            observe(null, 4);

            assertThat(history.terms()).containsExactly(new PastTerm("a", time(0), time(4), true));
        }

        /** What a stranger writes must not fill the coordinator's memory (safety.md#too-many-candidates). */
        @Test
        void areKeptWithTheBeginningOfAHoldersName() {
            observe(heldBy("x".repeat(100_000), 0, 0), 0);

            assertThat(history.terms())
                    .singleElement()
                    .satisfies(term -> assertThat(term.holder()).hasSize(LeaseHistory.LONGEST + 1));
        }

        @Test
        void areForgottenBeyondTheBound() {
            IntStream.range(0, LeaseHistory.TERMS + 5).forEach(i -> observe(heldBy("holder-" + i, i, i), i));

            assertThat(history.terms()).hasSize(LeaseHistory.TERMS);
            assertThat(history.terms().get(0).holder()).isEqualTo("holder-5");
        }
    }

    @Nested
    class KnownSince {

        @Test
        void isNotKnownBeforeAnythingWasSeen() {
            assertThat(history.knownSince()).isNull();
        }

        @Test
        void isTheFirstSightOfTheLeaseEvenIfNoProcessLeads() {
            observe(null, 3);
            observe(heldBy("a", 5, 5), 5);

            assertThat(history.knownSince()).isEqualTo(time(3));
        }

        @Test
        void isTheFirstDecisionIfThereIsNoLeaseYet() {
            history.decided("there is no lease yet", time(2));
            observe(heldBy("a", 5, 5), 5);

            assertThat(history.knownSince()).isEqualTo(time(2));
        }

        @Test
        void isTheEndOfTheLastTermThatWasForgotten() {
            IntStream.range(0, LeaseHistory.TERMS).forEach(i -> observe(heldBy("holder-" + i, i, i), i));
            assertThat(history.knownSince()).isEqualTo(time(0));

            observe(heldBy("another", 100, 100), 100);

            assertThat(history.knownSince()).isEqualTo(time(1));
        }
    }

    @Nested
    class Decisions {

        @Test
        void areKeptNewestFirst() {
            history.decided("asked", time(0));
            history.decided("elected", time(1));

            assertThat(history.decisions())
                    .extracting(ElectionView.PastDecision::reason)
                    .containsExactly("elected", "asked");
        }

        @Test
        void keepTheTimeAtWhichTheyWereFirstMade() {
            history.decided("leads", time(0));
            history.decided("leads", time(3));

            assertThat(history.decisions()).containsExactly(new ElectionView.PastDecision(time(0), "leads"));
        }

        @Test
        void areForgottenBeyondTheBound() {
            IntStream.range(0, LeaseHistory.DECISIONS + 5).forEach(i -> history.decided("decision " + i, time(i)));

            assertThat(history.decisions()).hasSize(LeaseHistory.DECISIONS);
            assertThat(history.decisions().get(0).reason()).isEqualTo("decision 14");
        }
    }

    @Nested
    class WallTimesOfInstants {

        private final WallTimes times = new WallTimes();

        @Test
        void areTheSameThoughTheClocksAreReadAtDifferentMoments() {
            Instant first = times.of(5_000, new Moment(0, START));

            assertThat(times.of(5_000, new Moment(1_000_000, START.plusNanos(1_000_900))))
                    .isEqualTo(first);
        }

        @Test
        void followAWallClockThatWasSet() {
            times.of(0, new Moment(0, START));

            assertThat(times.of(0, new Moment(0, START.plusSeconds(60)))).isEqualTo(START.plusSeconds(60));
        }
    }
}
