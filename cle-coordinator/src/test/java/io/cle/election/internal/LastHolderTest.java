package io.cle.election.internal;

import java.time.Instant;

import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.model.internal.Moment;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Which candidate held a lease last, and whether it has withdrawn (safety.md#drain-before-release). */
class LastHolderTest {

    private static final Moment NOW = new Moment(7, Instant.EPOCH);

    private final LastHolder a = LastHolder.UNKNOWN.seen(lease("a", 3));

    private static Lease lease(@Nullable String holder, int transitions) {
        return Lease.builder(new ObjectKey("shop", "orders"))
                .holder(holder)
                .transitions(transitions)
                .build();
    }

    @Nested
    class OfAFreeLease {

        @Test
        void lastHolderOfAFreeLeaseMayBeAnyCandidateBeforeOneWasSeen() {
            assertThat(LastHolder.UNKNOWN.mayBe("a")).isTrue();
            assertThat(LastHolder.UNKNOWN.seen(lease(null, 0)).mayBe("a")).isTrue();
        }

        @Test
        void lastHolderOfAFreeLeaseIsTheOneThatHeldItBefore() {
            LastHolder released = a.seen(lease(null, 3));

            assertThat(released.mayBe("a")).isTrue();
            assertThat(released.mayBe("b")).isFalse();
        }

        @Test
        void lastHolderOfAFreeLeaseMayBeAnyCandidateIfOneHasHeldItUnseen() {
            assertThat(a.seen(lease(null, 4)).mayBe("b")).isTrue();
        }
    }

    @Nested
    class OfAHeldLease {

        @Test
        void lastHolderOfAHeldLeaseIsItsHolderAlsoIfTheLeaseCountsNoTransitions() {
            LastHolder first = LastHolder.UNKNOWN.seen(lease("a", 0));

            assertThat(first.mayBe("a")).isTrue();
            assertThat(first.mayBe("b")).isFalse();
        }

        @Test
        void lastHolderOfAHeldLeaseIsItsNewHolderAlsoIfAnEditHasCountedNoTransition() {
            LastHolder edited = a.seen(lease("b", 3));

            assertThat(edited.mayBe("a")).isFalse();
            assertThat(edited.mayBe("b")).isTrue();
        }

        @Test
        void lastHolderOfAHeldLeaseHasNotWithdrawnWhileItsCandidateIsThere() {
            assertThat(a.withdrawn()).isFalse();
            assertThat(a.gone("b", NOW).withdrawn()).isFalse();
        }

        @Test
        void lastHolderOfAHeldLeaseHasWithdrawnOnceItsCandidateIsGone() {
            LastHolder gone = a.gone("a", NOW);

            assertThat(gone.withdrawn()).isTrue();
            assertThat(gone.withdrawnAt()).isEqualTo(7);
            assertThat(gone.seen(lease("a", 3)).withdrawn())
                    .as("it renews while it drains")
                    .isTrue();
            assertThat(gone.stands("b").withdrawn()).isTrue();
        }

        @Test
        void lastHolderOfAHeldLeaseHasNotWithdrawnOnceItsCandidateIsThereAgain() {
            assertThat(a.gone("a", NOW).stands("a").withdrawn()).isFalse();
        }

        @Test
        void lastHolderOfAHeldLeaseHasNotWithdrawnOnceItHoldsTheLeaseAnew() {
            assertThat(a.gone("a", NOW).seen(lease("a", 4)).withdrawn()).isFalse();
        }
    }
}
