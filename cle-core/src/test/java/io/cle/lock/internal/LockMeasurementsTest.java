package io.cle.lock.internal;

import java.time.Duration;
import java.util.function.Consumer;

import io.cle.LockSnapshot.Timed;
import io.cle.RevokeReason;
import io.cle.loop.internal.LeaseLines;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

class LockMeasurementsTest {

    private final VirtualLoop loop = new VirtualLoop();
    private final LockJournal journal = LockJournalTest.journal(
            new ObjectKey("shop", "orders"),
            loop.clock(),
            new LeaseLines(LoggerFactory.getLogger(LeaseLock.class), loop));

    private static Lease recordOf(@Nullable String holder) {
        return Lease.builder(new ObjectKey("shop", "orders")).holder(holder).build();
    }

    private void write(Lease desired, boolean holding, ApiResult<?> result) {
        Consumer<ApiResult<?>> written = journal.sending(desired, holding);
        loop.advance(Duration.ofMillis(4));
        written.accept(result);
    }

    @Test
    void aRenewalTakesFromItsSendingToItsAnswer() {
        write(recordOf("a"), true, new ApiResult.Ok<>(1));
        write(recordOf("a"), true, new ApiResult.Ok<>(1));

        assertThat(journal.measured().renewals()).isEqualTo(new Timed(2, Duration.ofMillis(8)));
    }

    @Test
    void aRenewalOfUnknownOutcomeIsCountedAsAFailure() {
        write(recordOf("a"), true, new ApiResult.OutcomeUnknown<>("time-out"));

        assertThat(journal.measured().failedRenewals()).isEqualTo(1);
        assertThat(journal.measured().renewals()).isEqualTo(Timed.NONE);
    }

    @Test
    void theWriteThatBeginsATermIsNoRenewal() {
        write(recordOf("a"), false, new ApiResult.Ok<>(1));

        assertThat(journal.measured().renewals()).isEqualTo(Timed.NONE);
    }

    @Test
    void aHandOverBeginsWithTheEndOfTheTermAndContainsTheDrain() {
        journal.termEnded(RevokeReason.END_OF_TERM);
        loop.advance(Duration.ofMillis(20));
        write(recordOf(null), true, new ApiResult.Ok<>(1));

        assertThat(journal.measured().handOvers()).isEqualTo(new Timed(1, Duration.ofMillis(24)));
    }

    @Test
    void aLeaseThatWasLostIsNotHandedOverByTheEndOfTheNextTerm() {
        journal.termEnded(RevokeReason.END_OF_TERM);
        loop.advance(Duration.ofHours(1));
        journal.termBegan(7);
        journal.termEnded(RevokeReason.END_OF_TERM);
        write(recordOf("b"), true, new ApiResult.Ok<>(1));

        assertThat(journal.measured().handOvers()).isEqualTo(new Timed(1, Duration.ofMillis(4)));
    }

    /** A lease was lost. Later this process, a candidate by then, asks the present holder to yield (KEP-2835). */
    @Test
    void askingTheHolderToYieldIsNoHandOver() {
        journal.termEnded(RevokeReason.END_OF_TERM);
        loop.advance(Duration.ofHours(1));
        write(recordOf("b"), false, new ApiResult.Ok<>(1));

        assertThat(journal.measured().handOvers()).isEqualTo(Timed.NONE);
    }
}
