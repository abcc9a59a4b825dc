package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;

import io.cle.election.internal.api.PodState;
import io.cle.election.internal.api.PodState.Container;
import io.cle.election.internal.api.PodState.Phase;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.model.internal.TermAnnotation;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A holder is dead only if the kubelet has reported the termination of a run that it may be in (safety.md#terminated-holder). */
class HolderPodTest {

    private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");
    private static final LeaseObservation.Observer OBSERVER =
            new LeaseObservation.Observer(Duration.ofSeconds(15), false);
    private static final ObjectKey LEASE = new ObjectKey("shop", "orders");
    private static final Container RUNNING = new Container(Phase.RUNNING, 0, "run-0", "");
    private static final Container ENDED = new Container(Phase.TERMINATED, 0, "run-0", "run-0");
    private static final Container STARTED_AGAIN = new Container(Phase.RUNNING, 1, "run-1", "run-0");
    private static final Container BACKS_OFF = new Container(Phase.WAITING, 0, "run-0", "run-0");

    private LeaseObservation lease = LeaseObservation.first(null, at(0), OBSERVER);
    private HolderPod pod = HolderPod.NOT_LOOKED_AT;
    private TermAnnotation term;
    private String holder = "orders-a";
    private int version;
    private long now;

    HolderPodTest() {
        begins("n1");
    }

    private static Moment at(long seconds) {
        return new Moment(Duration.ofSeconds(seconds).toNanos(), EPOCH.plusSeconds(seconds));
    }

    private void begins(String nonce) {
        term = TermAnnotation.begun(
                nonce, "w1", Duration.ofSeconds(15), holder, EPOCH.plusSeconds(now), TermAnnotation.Ended.NOTHING);
        see(Lease.builder(LEASE)
                .holder(holder)
                .acquireTime(EPOCH.plusSeconds(now))
                .renewTime(EPOCH.plusSeconds(now))
                .leaseDuration(Duration.ofSeconds(15))
                .term(term)
                .build());
    }

    private void renews() {
        now += 2;
        see(lease.lease().toBuilder()
                .renewTime(EPOCH.plusSeconds(now))
                .term(term.withWrite("w" + now))
                .build());
    }

    private void see(Lease next) {
        lease = lease.seen(
                next.toBuilder().resourceVersion(String.valueOf(++version)).build(), at(now), false, OBSERVER);
        pod = pod.seen(lease);
    }

    /** Inspects the pod while the holder renews. */
    private void firstLook(PodState state) {
        pod = pod.lookedAt(lease.seenAt(), at(now).nanos(), state, false);
    }

    /** Inspects the pod after a missed renewal. */
    private void look(PodState state) {
        now += 4;
        pod = pod.lookedAt(lease.seenAt(), at(now).nanos(), state, true);
    }

    private boolean dead() {
        return pod.deadSince(lease.seenAt());
    }

    @Nested
    class AHolder {

        @Test
        void aHolderIsDeadIfItsContainerIsReportedAsTerminated() {
            look(ENDED);

            assertThat(dead()).isTrue();
        }

        @Test
        void aHolderIsNotDeadWhileItsContainerIsReportedAsRunning() {
            look(RUNNING);

            assertThat(dead()).isFalse();
        }

        @Test
        void aHolderIsNotDeadBecauseItsPodHasVanished() {
            firstLook(RUNNING);
            look(new PodState.Missing());

            assertThat(dead()).isFalse();
        }

        @Test
        void aHolderIsDeadIfItsPodHasVanishedAfterItsContainerWasReportedAsTerminated() {
            firstLook(ENDED);
            look(new PodState.Missing());

            assertThat(dead()).isTrue();
        }

        @Test
        void aHolderIsNotDeadBecauseItsPodIsUnclear() {
            firstLook(ENDED);
            look(new PodState.Unclear("not reported"));

            assertThat(dead()).isFalse();
        }

        @Test
        void aHolderIsNotDeadBecauseItsContainerWaits() {
            look(BACKS_OFF);

            assertThat(dead()).isFalse();
        }

        @Test
        void aHolderIsDeadIfItsContainerWaitsAfterTheRunThatWasSeenDuringTheTermHasEnded() {
            firstLook(RUNNING);
            look(BACKS_OFF);

            assertThat(dead()).isTrue();
        }

        @Test
        void aHolderIsNotDeadBecauseItsContainerWaitsAfterAnotherRun() {
            firstLook(new Container(Phase.RUNNING, 1, "run-1", "run-0"));
            look(new Container(Phase.WAITING, 1, "", "run-0"));

            assertThat(dead()).isFalse();
        }
    }

    @Nested
    class ATerm {

        @Test
        void aTermIsTheSameUntilAnotherOneBegins() {
            HolderPod before = pod;
            renews();
            firstLook(RUNNING);
            assertThat(pod.sameTerm(before)).isTrue();

            now += 10;
            begins("n2");
            assertThat(pod.sameTerm(before)).isFalse();
        }
    }

    @Nested
    class ARestart {

        @Test
        void aRestartCountsIfFewerWereSeenDuringTheTerm() {
            firstLook(RUNNING);
            look(STARTED_AGAIN);

            assertThat(dead()).isTrue();
        }

        @Test
        void aRestartDoesNotCountIfThePodWasNotLookedAtBefore() {
            look(STARTED_AGAIN);

            assertThat(dead()).isFalse();
        }

        @Test
        void aRestartDoesNotCountIfItWasSeenDuringTheTerm() {
            firstLook(STARTED_AGAIN);
            look(STARTED_AGAIN);

            assertThat(dead()).isFalse();
        }

        @Test
        void aRestartDoesNotCountIfFewerWereSeenDuringAnEarlierTerm() {
            firstLook(RUNNING);
            now += 10;
            begins("n2");
            look(STARTED_AGAIN);

            assertThat(dead()).isFalse();
        }

        @Test
        void aRestartDoesNotCountIfTheContainerWasReportedAsTerminatedWhileTheHolderLed() {
            firstLook(ENDED);
            renews();
            look(STARTED_AGAIN);

            assertThat(dead()).isFalse();
        }

        @Test
        void aRestartThatWasSeenWhenARenewalWasMissedCountsForTheNextMissedOne() {
            look(STARTED_AGAIN);
            renews();
            look(new Container(Phase.RUNNING, 2, "run-2", "run-1"));

            assertThat(dead()).isTrue();
        }
    }

    @Nested
    class ATermination {

        @Test
        void aTerminationDoesNotCountForALaterRenewal() {
            look(ENDED);
            renews();

            assertThat(dead()).isFalse();
        }

        @Test
        void aTerminationDoesNotCountAgainIfTheHolderHasRenewedSince() {
            look(ENDED);
            renews();
            look(ENDED);

            assertThat(dead()).isFalse();
        }

        @Test
        void aTerminationDoesNotCountWhileTheHolderRenews() {
            firstLook(ENDED);

            assertThat(dead()).isFalse();
        }
    }
}
