package io.cle.runtime.internal.lock;

import java.time.Duration;

import io.cle.LockSnapshot.Timed;
import io.cle.lock.internal.LockMachine.Action;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StopwatchTest {

    private final VirtualLoop loop = new VirtualLoop();
    private final Stopwatch stopwatch = new Stopwatch("a", loop.clock());

    private static Action.WriteLease recordOf(@Nullable String holder) {
        return new Action.WriteLease(
                Lease.builder(new ObjectKey("shop", "orders")).holder(holder).build());
    }

    private void write(Action.WriteLease write, boolean holding, ApiResult<?> result) {
        Stopwatch.Write timed = stopwatch.begin(write, holding);
        loop.advance(Duration.ofMillis(4));
        timed.done(result);
    }

    @Test
    void aRenewalTakesFromItsSendingToItsAnswer() {
        write(recordOf("a"), true, new ApiResult.Ok<>(1));
        write(recordOf("a"), true, new ApiResult.Ok<>(1));

        assertThat(stopwatch.measured().renewals()).isEqualTo(new Timed(2, Duration.ofMillis(8)));
    }

    @Test
    void aRenewalOfUnknownOutcomeIsCountedAsAFailure() {
        write(recordOf("a"), true, new ApiResult.OutcomeUnknown<>("time-out"));

        assertThat(stopwatch.measured().failedRenewals()).isEqualTo(1);
        assertThat(stopwatch.measured().renewals()).isEqualTo(Timed.NONE);
    }

    @Test
    void theWriteThatBeginsATermIsNoRenewal() {
        write(recordOf("a"), false, new ApiResult.Ok<>(1));

        assertThat(stopwatch.measured().renewals()).isEqualTo(Timed.NONE);
    }

    @Test
    void drainAndHandOverBothBeginWithTheEndOfTheTerm() {
        Runnable drained = stopwatch.revoked();
        loop.advance(Duration.ofMillis(20));
        drained.run();
        write(recordOf(null), true, new ApiResult.Ok<>(1));

        assertThat(stopwatch.measured().drains()).isEqualTo(new Timed(1, Duration.ofMillis(20)));
        assertThat(stopwatch.measured().handOvers()).isEqualTo(new Timed(1, Duration.ofMillis(24)));
    }

    @Test
    void aLeaseThatWasLostIsNotHandedOverByTheEndOfTheNextTerm() {
        stopwatch.revoked().run();
        loop.advance(Duration.ofHours(1));
        stopwatch.granted();
        stopwatch.revoked().run();
        write(recordOf("b"), true, new ApiResult.Ok<>(1));

        assertThat(stopwatch.measured().handOvers()).isEqualTo(new Timed(1, Duration.ofMillis(4)));
    }

    /** A lease was lost. Later this process, a candidate by then, asks the present holder to yield (KEP-2835). */
    @Test
    void askingTheHolderToYieldIsNoHandOver() {
        stopwatch.revoked().run();
        loop.advance(Duration.ofHours(1));
        write(recordOf("b"), false, new ApiResult.Ok<>(1));

        assertThat(stopwatch.measured().handOvers()).isEqualTo(Timed.NONE);
    }
}
