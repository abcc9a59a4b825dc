package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.cle.lock.internal.LockMachine.Event;
import io.cle.lock.internal.LockState.BegunTerm;
import io.cle.lock.internal.LockState.Participation;
import io.cle.lock.internal.LockState.Purpose;
import io.cle.lock.internal.LockState.Request;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.model.internal.TermAnnotation;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Impossible transitions, and invariants between two steps: a defect must end in an exception, not in a second leader. */
class LockStateTest {

    private static final BegunTerm TERM = new BegunTerm(Race.LEASE, "a", 7, Instant.EPOCH);
    private static final Moment NOW = new Moment(5, Instant.EPOCH);

    private final LockState state = LockState.initial();

    private void acquires() {
        state.participation = new Participation.Candidate(0);
        state.becomeAcquiring();
        state.unconfirmed = new LockState.Request.Write(
                LockState.Purpose.ACQUIRE, Lease.builder(Race.LEASE).build(), 0, 0);
        earlierClaim(0);
    }

    private void earlierClaim(long until) {
        state.observation = new LeaseObservation(
                null, 0, 0, until, 0, new LeaseObservation.Terms(false, Duration.ZERO, Duration.ZERO));
    }

    private void leads() {
        acquires();
        state.becomeLeader(TERM, 5, 10, 7, 0);
    }

    private static void refused(String target, String from, ThrowingCallable transition) {
        assertThatIllegalStateException()
                .isThrownBy(transition)
                .withMessageContaining("no transition to " + target + " from LockState[" + from);
    }

    private void isIllegal(String message) {
        assertThatIllegalStateException()
                .isThrownBy(() -> LockMachine.step(Race.direct("a", null), state, new Event.Tick(), NOW, 1))
                .withMessageContaining(message);
    }

    @Nested
    class AStandby {

        @Test
        void aStandbyDoesNotLeadBeforeItHasAcquired() {
            state.participation = new Participation.Candidate(0);

            refused("Leading", "Standby", () -> state.becomeLeader(TERM, 5, 10, 7, 0));
        }

        @Test
        void aStandbyAcquiresNothingUnlessItWasStarted() {
            refused("Acquiring", "Standby", state::becomeAcquiring);
        }

        @Test
        void aStandbyHasNoTermToEnd() {
            refused("Draining", "Standby", () -> state.becomeDraining(10));
            refused("Lost", "Standby", () -> state.becomeLost(10));
        }

        @Test
        void aStandbyHasNoTermWhoseWallClockCouldBeSetBack() {
            refused("Leading", "Standby", () -> state.wallAheadAtMost(1));
        }
    }

    @Nested
    class ATerm {

        @Test
        void aTermBeginsBeforeItsEnd() {
            acquires();

            refused("Leading", "Acquiring", () -> state.becomeLeader(TERM, 10, 10, 7, 0));
        }

        @Test
        void aTermBeginsNotBeforeTheEndOfAnotherOne() {
            acquires();
            earlierClaim(6);

            refused("Leading", "Acquiring", () -> state.becomeLeader(TERM, 5, 10, 7, 0));
        }

        @Test
        void aTermBeginsAtTheEndOfAnotherOne() {
            acquires();
            earlierClaim(5);

            state.becomeLeader(TERM, 5, 10, 7, 0);

            assertThat(state.leads(NOW)).isTrue();
        }

        @Test
        void aTermBeginsForACandidateOnly() {
            acquires();
            state.participation = new Participation.Withdrawn();

            refused("Leading", "Acquiring", () -> state.becomeLeader(TERM, 5, 10, 7, 0));
        }

        @Test
        void aTermIsNotForgottenBeforeItHasEnded() {
            leads();

            refused("Standby", "Leading", state::becomeStandby);
            refused("Acquiring", "Leading", state::becomeAcquiring);
        }

        @Test
        void aTermIsNotHandedOverBeforeItHasEnded() {
            leads();

            refused("HandingOver", "Leading", () -> state.becomeHandingOver());
        }
    }

    @Nested
    class TheWorkOfAnEndedTerm {

        @Test
        void theWorkOfAnEndedTermIsNotForgottenWhileTheLeaseIsKeptForIt() {
            leads();
            state.becomeDraining(10);

            refused("Standby", "Draining", state::becomeStandby);
        }

        @Test
        void theWorkOfAnEndedTermHasNoLeaseToHandOverIfThatIsLost() {
            leads();
            state.becomeLost(10);

            refused("HandingOver", "Lost", () -> state.becomeHandingOver());
        }

        @Test
        void theWorkOfAnEndedTermKeepsItsTimeIfTheLeaseIsLostMeanwhile() {
            leads();
            state.becomeDraining(10);
            state.becomeLost(99);

            assertThat(state.work()).isEqualTo(new LockState.Work(TERM, 10));
        }
    }

    @Nested
    class BetweenTwoSteps {

        @Test
        void noAcquisitionIsInFlightOutsideItsPhase() {
            state.participation = new Participation.Candidate(0);
            state.inFlight =
                    new Request.Write(Purpose.ACQUIRE, Lease.builder(Race.LEASE).build(), 0, 0);

            isIllegal("acquiring without an acquiring write in flight, or the reverse");
        }

        @Test
        void noAcquisitionIsWithoutItsWrite() {
            acquires();
            state.inFlight = new Request.Read(null);

            isIllegal("acquiring without an acquiring write in flight, or the reverse");
        }

        @Test
        void onlyACandidateLeads() {
            leads();
            state.participation = new Participation.Withdrawn();

            isIllegal("leads without being a candidate");
        }
    }

    /** safety.md#own-record. */
    @Nested
    class WritesThatMayBeOnTheRecord {

        private void seen(String write) {
            TermAnnotation term = TermAnnotation.begun(
                    "n1", "w1", Duration.ofSeconds(15), "a", Instant.EPOCH, TermAnnotation.Ended.NOTHING);
            state.seenWrite(
                    Lease.builder(Race.LEASE).term(term.withWrite(write)).build());
        }

        private List<String> writes() {
            return state.writes.stream().map(LockState.SentWrite::id).toList();
        }

        private void wrote(int writes) {
            for (int i = 1; i <= writes; i++) {
                state.wrote("w" + i, i);
            }
        }

        @Test
        void writesThatMayBeOnTheRecordAreThoseThatWereSent() {
            wrote(3);
            state.wrote("w2", 9);

            assertThat(writes()).containsExactly("w1", "w2", "w3");
        }

        @Test
        void writesThatMayBeOnTheRecordAreTheOneThatWasSeenAndThoseAfterIt() {
            wrote(3);
            seen("w2");

            assertThat(writes()).containsExactly("w2", "w3");
        }

        @Test
        void writesThatMayBeOnTheRecordAreAllThatWereSentIfTheRecordShowsNoneOfThem() {
            wrote(3);
            seen("of-another-process");
            state.seenWrite(Lease.builder(Race.LEASE).build());

            assertThat(writes()).containsExactly("w1", "w2", "w3");
        }

        @Test
        void writesThatMayBeOnTheRecordAreTheOneThatWasSeenAndTheFifteenNewestIfAllLaterOnesFail() {
            state.wrote("on-the-record", 0);
            seen("on-the-record");
            wrote(20);

            assertThat(writes()).hasSize(16).startsWith("on-the-record", "w6").endsWith("w20");
        }

        @Test
        void writesThatMayBeOnTheRecordAreForgottenWhenTheProcessIsStartedAnew() {
            wrote(3);
            state.becomeAnew("n2");

            assertThat(writes()).isEmpty();
        }
    }

    @Test
    void onceAWriteIsSeenThoseBeforeItAreForgotten() {
        LockDriver lock = LockDriver.direct("a").serve(Duration.ofMinutes(1));

        assertThat(lock.leads()).isTrue();
        assertThat(lock.state().writes).hasSize(1);
    }
}
