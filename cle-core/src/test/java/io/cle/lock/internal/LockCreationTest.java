package io.cle.lock.internal;

import java.time.Duration;

import io.cle.lock.internal.LockMachine.Event;
import io.cle.model.internal.Lease;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A creation isn't a compare-and-swap: a lease created and deleted before it may have had a leader ({@code safety.md#succession}). */
class LockCreationTest {

    private final LockDriver lock = LockDriver.direct("b");

    /** Another process has led, and its lease was deleted. */
    private Lease deletedAfterATerm() {
        lock.taken("a", "n9");
        Lease record = lock.record();
        lock.delete().after(Duration.ofSeconds(15)).after(Duration.ofMillis(200));
        return record;
    }

    /** The claim of an unreadable record is unknown: its deletion ends no term that it may have shown. */
    @Test
    void aDeletionAfterARecordThatCannotBeReadIsFollowedByAWaitForAnUnseenTerm() {
        lock.taken("a", "n9").after(Duration.ofSeconds(10));
        lock.step(new Event.LeaseUnreadable());
        lock.delete().after(Duration.ofMillis(14_900));
        assertThat(lock.writing()).isNull();

        lock.after(Duration.ofSeconds(1));
        assertThat(lock.writing()).isNotNull();
    }

    @Test
    void aCandidacyIsAnnouncedOnceTheLeaseIsWatched() {
        LockDriver coordinated = LockDriver.of(LockDriver.coordinatedConfig("b", "OldestCompatibilityVersion"));
        coordinated.start();
        assertThat(coordinated.actions(LockMachine.Action.Announce.class)).isEmpty();

        coordinated.step(new Event.LeaseUnreadable());
        assertThat(coordinated.actions(LockMachine.Action.Announce.class)).hasSize(1);
    }

    @Test
    void aCandidacyThatWasWithdrawnBeforeTheLeaseIsWatchedIsNotAnnounced() {
        LockDriver coordinated = LockDriver.of(LockDriver.coordinatedConfig("b", "OldestCompatibilityVersion"));
        coordinated.start().stop().relist();

        assertThat(coordinated.actions(LockMachine.Action.Announce.class)).isEmpty();
    }

    @Test
    void theFirstCreationBeginsATermByItsAnswer() {
        lock.after(Duration.ofSeconds(1)).breakWatch().answerWrite();

        assertThat(lock.leads()).isTrue();
    }

    @Test
    void aCreationAfterADeletionBeginsATermWhenTheWatchShowsIt() {
        deletedAfterATerm();
        lock.breakWatch().answerWrite();
        assertThat(lock.leads()).isFalse();

        lock.step(new Event.LeaseSeen(lock.record(), true));
        assertThat(lock.leads()).isTrue();
    }

    @Test
    void aTermBetweenTheKnownDeletionAndTheCreationIsWaitedFor() {
        Lease ofA = deletedAfterATerm();
        // The watch is late: meanwhile the record was put back, a renewed it, and it was deleted again.
        lock.breakWatch().answerWrite();
        Lease created = lock.record();
        int version = Integer.parseInt(created.resourceVersion());
        lock.step(new Event.LeaseSeen(
                ofA.toBuilder().resourceVersion(String.valueOf(version - 2)).build(), true));
        lock.step(new Event.LeaseMissing(String.valueOf(version - 1)));
        lock.step(new Event.LeaseSeen(created, true));
        assertThat(lock.leads()).isFalse();

        lock.serve(Duration.ofSeconds(14));
        assertThat(lock.leads()).isFalse();
        lock.serve(Duration.ofSeconds(2));
        assertThat(lock.leads()).isTrue();
    }

    @Test
    void anOlderRecordThatALateWatchShowsIsNotTheCreationThatIsAwaited() {
        Lease ofA = deletedAfterATerm();
        lock.breakWatch().answerWrite();
        int version = Integer.parseInt(lock.record().resourceVersion());

        lock.step(new Event.LeaseSeen(
                ofA.toBuilder().resourceVersion(String.valueOf(version - 2)).build(), true));

        assertThat(lock.state().settled()).isFalse();
    }

    @Test
    void aCreationThatTheWatchDoesNotShowIsReadAndBeginsATermAfterAnUnseenOne() {
        deletedAfterATerm();
        lock.breakWatch().answerWrite();
        lock.serve(Duration.ofSeconds(14));
        assertThat(lock.leads()).isFalse();

        lock.serve(Duration.ofSeconds(4));
        assertThat(lock.leads()).isTrue();
    }

    @Test
    void anEmptyListAfterADeletionIsAGap() {
        LockDriver other = LockDriver.direct("b");
        other.taken("a", "n9")
                .delete()
                .breakWatch()
                .after(Duration.ofSeconds(14))
                .relist();

        other.serve(Duration.ofSeconds(14));
        assertThat(other.leads()).isFalse();
        other.serve(Duration.ofSeconds(2));
        assertThat(other.leads()).isTrue();
    }

    @Test
    void anEmptyListIsNoGapToAProcessThatHasNeverSeenARecord() {
        LockDriver other = LockDriver.of(Race.direct("b", null))
                .start()
                .relist()
                .breakWatch()
                .relist();

        other.serve(Duration.ofSeconds(1));
        assertThat(other.leads()).isTrue();
    }
}
