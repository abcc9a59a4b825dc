package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.UnaryOperator;

import io.cle.lock.internal.LockMachine.Action;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A leader writes what it knows, never what it has read; and which records are its own ({@code safety.md#own-record}). */
class LockOwnRecordTest {

    private final LockDriver lock = LockDriver.direct("a");

    private void leads() {
        lock.serve(Duration.ofSeconds(1));
        assertThat(lock.leads()).isTrue();
    }

    private static UnaryOperator<Lease.Builder> termDuration(Duration duration) {
        return lease -> {
            TermAnnotation term = Objects.requireNonNull(lease.build().term());
            return lease.term(new TermAnnotation(
                    term.term(),
                    term.preempts(),
                    term.write(),
                    duration,
                    term.holder(),
                    term.acquireTime(),
                    term.ended()));
        };
    }

    @Test
    void aRenewalDoesNotRepeatAnEditOfTheTermAnnotation() {
        leads();
        lock.write(termDuration(Duration.ofSeconds(1))).serve(Duration.ofSeconds(5));

        assertThat(lock.record().term().duration()).isEqualTo(Duration.ofSeconds(15));
        assertThat(lock.leads()).isTrue();
    }

    @Test
    void aRenewalDoesNotRepeatEditsOfDurationTimesAndTransitions() {
        leads();
        Lease written = lock.record();
        Instant centuriesAhead = Instant.parse("2226-01-01T00:00:00Z");
        lock.write(lease -> lease.leaseDuration(Duration.ofSeconds(1))
                        .transitions(77)
                        .renewTime(centuriesAhead))
                .serve(Duration.ofSeconds(5));

        assertThat(lock.record().leaseDuration()).isEqualTo(Duration.ofSeconds(15));
        assertThat(lock.record().transitions()).isEqualTo(written.transitions());
        assertThat(lock.record().renewTime()).isBetween(written.renewTime(), centuriesAhead.minusSeconds(1));
    }

    @Test
    void whatOthersOwnStaysOnTheRecordWithARenewal() {
        leads();
        lock.write(lease -> lease.strategy("NewestCompatibilityVersion").managed(true))
                .serve(Duration.ofSeconds(5));

        assertThat(lock.record().strategy()).isEqualTo("NewestCompatibilityVersion");
        assertThat(lock.record().managed()).isTrue();
    }

    @Test
    void anEditIsWrittenOverAtOnce() {
        leads();
        lock.serve(Duration.ofSeconds(3));
        int before = lock.actions(Action.WriteLease.class).size();

        lock.write(termDuration(Duration.ofSeconds(1)));
        assertThat(lock.actions(Action.WriteLease.class)).hasSize(before + 1);
        lock.answerWrite();
        assertThat(lock.record().term().duration()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void aLeaderWhoseRecordIsEditedAgainEndsItsTermAndIsACandidateAgain() {
        leads();
        lock.write(termDuration(Duration.ofSeconds(1))).serve(Duration.ofSeconds(5));
        assertThat(lock.leads()).isTrue();

        lock.write(termDuration(Duration.ofSeconds(1)));
        assertThat(lock.leads()).isFalse();
        assertThat(lock.reports()).anyMatch(report -> report.contains("another writer edits the record of its term"));

        lock.serve(Duration.ofSeconds(4));
        assertThat(lock.leads()).isFalse();
        lock.drained().serve(Duration.ofSeconds(15));
        assertThat(lock.leads()).isTrue();
    }

    @Test
    void anEditInAnEarlierTermEndsNoLaterOne() {
        leads();
        lock.write(termDuration(Duration.ofSeconds(1))).serve(Duration.ofSeconds(5));
        lock.resign().drained().serve(Duration.ofSeconds(20));
        assertThat(lock.leads()).isTrue();

        lock.write(termDuration(Duration.ofSeconds(1))).serve(Duration.ofSeconds(5));
        assertThat(lock.leads()).isTrue();
    }

    @Test
    void anEditOfWhatOthersOwnBringsNoRenewalForward() {
        leads();
        int before = lock.actions(Action.WriteLease.class).size();
        lock.write(lease -> lease.strategy("NewestCompatibilityVersion")).serve(Duration.ofMillis(500));

        assertThat(lock.actions(Action.WriteLease.class)).hasSize(before);
    }

    @Test
    void noTermBeginsByAnAcquisitionWhoseTermAnnotationWasShortened() {
        lock.after(Duration.ofSeconds(1));
        lock.answerWriteChangedBy(termDuration(Duration.ofSeconds(1)));

        assertThat(lock.leads()).isFalse();
        assertThat(lock.reports()).isNotEmpty();
    }

    @Test
    void aTermBeginsByAnAcquisitionWhoseDurationsWereLengthened() {
        lock.after(Duration.ofSeconds(1));
        lock.answerWriteChangedBy(
                lease -> termDuration(Duration.ofSeconds(40)).apply(lease).leaseDuration(Duration.ofSeconds(40)));

        assertThat(lock.leads()).isTrue();
    }

    @Test
    void aPolicyThatLengthensEachRecordCausesNoMoreRenewals() {
        lock.serveChangedBy(lease -> lease.leaseDuration(Duration.ofSeconds(40)), Duration.ofSeconds(61));

        assertThat(lock.actions(Action.WriteLease.class)).hasSizeBetween(20, 22);
    }

    @Test
    void aRenewalOfUnknownOutcomeWhoseAnnotationWasEditedMeanwhileExtendsNothing() {
        leads();
        lock.breakWatch().after(Duration.ofSeconds(3)).applyWrite().loseWrite();
        long validUntil = lock.state().validUntil();
        lock.write(termDuration(Duration.ofSeconds(1)));
        lock.after(Duration.ofSeconds(1)).answerRead();

        assertThat(lock.state().validUntil()).isEqualTo(validUntil);
        assertThat(lock.leads()).isTrue();
    }

    @Test
    void aCopyOfTheOwnLastRecordThatAListShowsIsWaitedOut() {
        leads();
        Lease last = lock.record();
        lock.breakWatch().outage(Duration.ofSeconds(12)).drained();
        assertThat(lock.leads()).isFalse();
        // Another process has acquired the lease and leads; a backup tool overwrites its record with the copy.
        lock.taken("b", "n2").write(unused -> last.toBuilder()).relist();

        lock.serve(Duration.ofSeconds(14));
        assertThat(lock.leads()).isFalse();
        lock.serve(Duration.ofSeconds(2));
        assertThat(lock.leads()).isTrue();
    }

    @Test
    void theUnchangedOwnRecordIsAcquiredAtOnceAfterAnOutage() {
        leads();
        lock.breakWatch().outage(Duration.ofSeconds(12)).drained().outage(Duration.ofSeconds(18));
        assertThat(lock.leads()).isFalse();

        lock.relist().serve(Duration.ofSeconds(2));
        assertThat(lock.leads()).isTrue();
    }

    @Test
    void aLeaderGoesOnIfAListShowsItsOwnLastWriteInAVersionThatAnotherWriterHasMade() {
        leads();
        lock.breakWatch()
                .write(lease -> lease.strategy("NewestCompatibilityVersion"))
                .relist();

        assertThat(lock.leads()).isTrue();
        lock.serve(Duration.ofMinutes(1));
        assertThat(lock.actions(Action.Grant.class)).hasSize(1);
    }

    @Test
    void aPlainElectorOfTheSameIdentityIsReportedOnceAndEndsTheTerm() {
        leads();
        for (int i = 0; i < 30; i++) {
            lock.serve(Duration.ofSeconds(2))
                    .write(lease -> lease.renewTime(lease.build().renewTime().plusSeconds(1)));
        }

        assertThat(lock.reports())
                .filteredOn(report -> report.contains("another live process has the identity 'a'"))
                .hasSize(1);
        assertThat(lock.leads()).isFalse();
    }

    @Test
    void theRenewTimeGrowsWithinATermAlthoughTheWallClockIsSetBack() {
        LockDriver whole =
                LockDriver.of(Race.direct("a", null, Duration.ofSeconds(1))).begin();
        whole.serve(Duration.ofSeconds(7));
        Instant last = whole.record().renewTime();

        whole.suspend(Duration.ofHours(-2)).serve(Duration.ofSeconds(3));

        assertThat(whole.record().renewTime()).isAfter(last);
        assertThat(whole.actions(Action.Grant.class)).hasSize(1);
    }
}
