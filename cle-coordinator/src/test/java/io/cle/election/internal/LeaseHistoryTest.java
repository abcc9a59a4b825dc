package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;

import io.cle.election.internal.ElectionView.PastTerm;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.model.internal.TermAnnotation;
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
    private int version;

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
        observe(lease, seconds, true);
    }

    private void observe(@Nullable Lease written, double seconds, boolean contiguous) {
        LeaseObservation before = known;
        Lease lease = written == null
                ? null
                : written.toBuilder()
                        .resourceVersion(Integer.toString(++version))
                        .build();
        LeaseObservation after = before == null
                ? LeaseObservation.first(lease, at(seconds), OBSERVER)
                : before.seen(lease, at(seconds), contiguous, OBSERVER);
        known = after;
        history.observed(before, after, at(seconds), contiguous);
    }

    /** Returns the record of a process that follows the rules. */
    private static Lease ledBy(String holder, double acquired, double renewed) {
        return heldBy(holder, acquired, renewed).toBuilder()
                .term(TermAnnotation.begun(
                        holder, "w", Duration.ofSeconds(15), holder, time(acquired), TermAnnotation.Ended.NOTHING))
                .build();
    }

    @Nested
    class Terms {

        @Test
        void termsBeginWhenAHolderIsSeenToHaveBegun() {
            observe(null, 0);
            observe(heldBy("a", 5, 5), 5);

            assertThat(history.past().terms()).containsExactly(new PastTerm("a", time(5), null));
        }

        @Test
        void termsOfOtherElectorsBeginAtFirstSight() {
            observe(heldBy("a", -100, -1), 0);

            assertThat(history.past().terms()).containsExactly(new PastTerm("a", time(0), null));
        }

        @Test
        void termsGoOnWhileTheLeaseIsRenewed() {
            observe(heldBy("a", 0, 0), 0);
            observe(heldBy("a", 0, 3), 3);

            assertThat(history.past().terms()).hasSize(1);
        }

        @Test
        void termsEndWhenTheLeaseIsReleasedAndTheNextOneBegins() {
            observe(heldBy("a", 0, 0), 0);
            observe(heldBy(null, 0, 4), 4);
            observe(heldBy("b", 4.02, 4.02), 4.02);

            assertThat(history.past().terms())
                    .containsExactly(new PastTerm("a", time(0), time(4)), new PastTerm("b", time(4.02), null));
        }

        /** As after a SIGKILL: the lease is held for another lease duration, without a leader. */
        @Test
        void termsEndWithTheLastRenewalIfTheLeaseHasExpired() {
            observe(heldBy("a", 0, 0), 0);
            observe(heldBy("a", 0, 3), 3);
            observe(heldBy("b", 18.1, 18.1), 18.1);

            assertThat(history.past().terms())
                    .containsExactly(new PastTerm("a", time(0), time(3)), new PastTerm("b", time(18.1), null));
            assertThat(history.past().vacant()).isEqualTo(Duration.ofMillis(15_100));
        }

        /** As after the kubelet has reported the end of a container: the coordinator elects another candidate at once. */
        @Test
        void termsEndWithTheLastRenewalIfAnotherHolderIsWrittenWithoutThatTheyWereAskedToYield() {
            observe(heldBy("a", 0, 0), 0);
            observe(heldBy("b", 5, 5), 5);

            assertThat(history.past().terms())
                    .containsExactly(new PastTerm("a", time(0), time(0)), new PastTerm("b", time(5), null));
        }

        @Test
        void termsEndWhenTheyAreHandedOverAsTheyWereAskedTo() {
            observe(heldBy("a", 0, 0), 0);
            observe(heldBy("a", 0, 0).toBuilder().endOfTerm("b", null).build(), 2);
            observe(heldBy("b", 2.5, 2.5), 2.5);

            assertThat(history.past().terms().get(0).until()).isEqualTo(time(2.5));
            assertThat(history.past().vacant()).isEqualTo(Duration.ZERO);
        }

        @Test
        void termsHadBegunAtTheAcquireTimeOfTheirRecordEvenIfTheyWereNotSeenToBegin() {
            observe(ledBy("a", -100, -1), 0);

            assertThat(history.past().terms()).containsExactly(new PastTerm("a", time(-100), null));
            assertThat(history.past().knownSince()).isEqualTo(time(-100));
            assertThat(history.past().vacant()).isEqualTo(Duration.ZERO);
        }

        /** A stranger may write any acquire time. */
        @Test
        void termsHaveNotBegunInTheFuture() {
            observe(ledBy("a", 100, 100), 0);

            assertThat(history.past().terms()).containsExactly(new PastTerm("a", time(0), null));
        }

        /** As when this replica was cut off from the API server, but the applications weren't. */
        @Test
        void termsEndWithTheLastRenewalThatWasSeenIfTheLeaseWasNotObservedForLongerThanItsDuration() {
            observe(ledBy("a", 0, 0), 0);
            observe(ledBy("b", 600, 603), 605, false);

            assertThat(history.past().terms())
                    .containsExactly(new PastTerm("a", time(0), time(0)), new PastTerm("b", time(600), null));
        }

        /** Otherwise it would be an outage of the application in the lease's availability (objectives.md). */
        @Test
        void aTimeInWhichTheLeaseWasNotObservedDoesNotCountAsWithoutALeader() {
            observe(ledBy("a", 0, 0), 0);
            observe(ledBy("b", 600, 603), 605, false);

            assertThat(history.past().vacant()).isEqualTo(Duration.ZERO);
        }

        @Test
        void termsGoOnOverATimeInWhichTheLeaseWasNotObserved() {
            observe(ledBy("a", 0, 0), 0);
            observe(ledBy("a", 0, 603), 605, false);

            assertThat(history.past().terms()).hasSize(1);
        }

        @Test
        void termsAreMissingFromTheEndOfTheTimeInWhichTheLeaseWasNotObserved() {
            observe(ledBy("a", 0, 0), 0);
            observe(heldBy(null, 0, 500), 605, false);

            assertThat(history.past().vacantSince()).isEqualTo(time(605));
        }

        @Test
        void termsAreTwoWhenTheSameLeaderAcquiresTheLeaseAgain() {
            observe(heldBy("a", 0, 0), 0);
            observe(heldBy("a", 9, 9), 9);

            assertThat(history.past().terms()).hasSize(2);
        }

        @Test
        void termsEndWhenTheLeaseIsDeleted() {
            observe(heldBy("a", 0, 0), 0);
            observe(null, 4);

            assertThat(history.past().terms()).containsExactly(new PastTerm("a", time(0), time(4)));
        }

        /** What a stranger writes must not fill the coordinator's memory (protocol.md#requests-and-limits). */
        @Test
        void termsAreKeptWithTheBeginningOfAHoldersName() {
            observe(heldBy("x".repeat(100_000), 0, 0), 0);

            assertThat(history.past().terms())
                    .singleElement()
                    .satisfies(term -> assertThat(term.holder()).hasSize(LeaseHistory.LONGEST + 1));
        }

        @Test
        void termsAreForgottenBeyondTheBound() {
            IntStream.range(0, LeaseHistory.TERMS + 5).forEach(i -> observe(heldBy("holder-" + i, i, i), i));

            assertThat(history.past().terms()).hasSize(LeaseHistory.TERMS);
            assertThat(history.past().terms().get(0).holder()).isEqualTo("holder-5");
        }
    }

    @Nested
    class KnownSince {

        @Test
        void knownSinceIsNotKnownBeforeAnythingWasSeen() {
            assertThat(history.past().knownSince()).isNull();
        }

        @Test
        void knownSinceIsTheFirstSightOfTheLeaseEvenIfNoProcessLeads() {
            observe(null, 3);
            observe(heldBy("a", 5, 5), 5);

            assertThat(history.past().knownSince()).isEqualTo(time(3));
        }

        @Test
        void knownSinceIsTheFirstDecisionIfThereIsNoLeaseYet() {
            history.decided("there is no lease yet", time(2));
            observe(heldBy("a", 5, 5), 5);

            assertThat(history.past().knownSince()).isEqualTo(time(2));
        }

        @Test
        void knownSinceIsTheEndOfTheLastTermThatWasForgotten() {
            IntStream.range(0, LeaseHistory.TERMS).forEach(i -> {
                observe(heldBy("holder-" + i, i, i), i);
                observe(heldBy(null, i, i + 0.5), i + 0.5);
            });
            assertThat(history.past().knownSince()).isEqualTo(time(0));

            observe(heldBy("another", 100, 100), 100);

            assertThat(history.past().knownSince()).isEqualTo(time(0.5));
        }
    }

    @Nested
    class Decisions {

        @Test
        void decisionsAreKeptNewestFirst() {
            history.decided("asked", time(0));
            history.decided("elected", time(1));

            assertThat(history.past().decisions())
                    .extracting(ElectionView.PastDecision::reason)
                    .containsExactly("elected", "asked");
        }

        @Test
        void decisionsKeepTheTimeAtWhichTheyWereFirstMade() {
            history.decided("leads", time(0));
            history.decided("leads", time(3));

            assertThat(history.past().decisions()).containsExactly(new ElectionView.PastDecision(time(0), "leads"));
        }

        @Test
        void decisionsAreForgottenBeyondTheBound() {
            IntStream.range(0, LeaseHistory.DECISIONS + 5).forEach(i -> history.decided("decision " + i, time(i)));

            assertThat(history.past().decisions()).hasSize(LeaseHistory.DECISIONS);
            assertThat(history.past().decisions().get(0).reason()).isEqualTo("decision 14");
        }
    }
}
