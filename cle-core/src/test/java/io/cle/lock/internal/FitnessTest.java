package io.cle.lock.internal;

import java.time.Duration;
import java.util.Set;

import io.cle.Timings;
import io.cle.lock.internal.Fitness.Decision;
import io.cle.lock.internal.Fitness.Step;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** In seconds; the lease duration is 15, the retry period 2. */
class FitnessTest {

    /** The role of the process. */
    private enum Standing {
        LEADS,
        CANDIDATE,
        NONE
    }

    private Fitness fitness = Fitness.INITIAL;
    private boolean ledByAnother;
    private boolean othersCanBeFound = true;
    private long beganAt = LockState.LONG_AGO;

    private static long at(long seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    private Decision decide(Standing standing, long seconds) {
        return step(standing, seconds).decision();
    }

    private Step step(Standing standing, long seconds) {
        Step step = switch (standing) {
            case LEADS -> fitness.leader(beganAt, othersCanBeFound, Timings.DEFAULT, at(seconds));
            case CANDIDATE -> fitness.standby(ledByAnother, at(seconds));
            case NONE -> fitness.outside(ledByAnother, Timings.DEFAULT, at(seconds));
        };
        fitness = step.next();
        return step;
    }

    private Decision found(long seconds, String... others) {
        Step step = fitness.othersFound(Set.of(others), at(seconds));
        fitness = step.next();
        return step.decision();
    }

    private void fit(boolean fit, long seconds) {
        fitness = fitness.changed(fit ? null : "it is unfit", at(seconds));
    }

    private void leadsSince(long seconds) {
        beganAt = at(seconds);
    }

    @Nested
    class OfAFitProcess {

        @Test
        void aFitProcessJoinsAtOnce() {
            assertThat(decide(Standing.NONE, 0)).isEqualTo(Decision.JOIN);
        }

        @Test
        void aFitProcessStaysACandidateAndALeader() {
            assertThat(decide(Standing.CANDIDATE, 0)).isEqualTo(Decision.STAY);
            leadsSince(1);
            assertThat(decide(Standing.LEADS, 100)).isEqualTo(Decision.STAY);
        }

        /** Its user has restarted it, which doesn't concern this class. */
        @Test
        void aFitProcessJoinsAgainSoonAfterItsTerm() {
            leadsSince(1);
            assertThat(decide(Standing.NONE, 2)).isEqualTo(Decision.JOIN);
        }
    }

    @Nested
    class OfAnUnfitStandby {

        @Test
        void anUnfitStandbyWithdrawsAtOnce() {
            fit(false, 100);
            assertThat(decide(Standing.CANDIDATE, 100)).isEqualTo(Decision.WITHDRAW);
            assertThat(step(Standing.NONE, 100).wakeAt()).isEqualTo(LockState.NEVER);
        }

        @Test
        void anUnfitStandbyNeverJoinsIfItWasUnfitFromTheStart() {
            fit(false, 0);
            assertThat(step(Standing.NONE, 0)).isEqualTo(new Step(Decision.STAY, fitness, LockState.NEVER));
            assertThat(decide(Standing.NONE, 1_000)).isEqualTo(Decision.STAY);
        }

        @Test
        void anUnfitStandbyJoinsAgainOnceItIsFitButNotWithinALeaseDuration() {
            fit(false, 100);
            decide(Standing.CANDIDATE, 100);
            fit(true, 101);
            assertThat(step(Standing.NONE, 101).wakeAt()).isEqualTo(at(115));
            assertThat(decide(Standing.NONE, 114)).isEqualTo(Decision.STAY);
            assertThat(decide(Standing.NONE, 115)).isEqualTo(Decision.JOIN);
        }
    }

    @Nested
    class OfAnUnfitLeader {

        @Test
        void anUnfitLeaderHandsOverIfAnotherCandidateIsThere() {
            leadsSince(0);
            fit(false, 100);
            assertThat(step(Standing.LEADS, 100).wakeAt()).isEqualTo(at(102));
            assertThat(decide(Standing.LEADS, 102)).isEqualTo(Decision.FIND_OTHERS);
            assertThat(found(102, "b")).isEqualTo(Decision.HAND_OVER);
        }

        @Test
        void anUnfitLeaderLeadsOnIfItIsTheOnlyCandidateAndAsksAgainAfterALeaseDuration() {
            leadsSince(0);
            fit(false, 100);
            decide(Standing.LEADS, 102);
            assertThat(found(102)).isEqualTo(Decision.STAY);
            assertThat(step(Standing.LEADS, 103).wakeAt()).isEqualTo(at(117));
            assertThat(decide(Standing.LEADS, 117)).isEqualTo(Decision.FIND_OTHERS);
            assertThat(found(117, "b")).isEqualTo(Decision.HAND_OVER);
        }

        @Test
        void anUnfitLeaderLeadsOnOnADirectLockWhoseOtherCandidatesCantBeKnown() {
            othersCanBeFound = false;
            leadsSince(0);
            fit(false, 100);
            assertThat(step(Standing.LEADS, 1_000)).isEqualTo(new Step(Decision.STAY, fitness, LockState.NEVER));
        }

        @Test
        void anUnfitLeaderLeadsOnIfItIsFitAgainWhenTheAnswerComes() {
            leadsSince(0);
            fit(false, 100);
            decide(Standing.LEADS, 102);
            fit(true, 102);
            assertThat(found(103, "b")).isEqualTo(Decision.STAY);
        }

        /** For example in an API server outage. */
        @Test
        void anUnfitLeaderStaysACandidateIfItLosesItsTermUntilAnotherLeads() {
            leadsSince(0);
            fit(false, 100);
            decide(Standing.LEADS, 101);
            assertThat(decide(Standing.CANDIDATE, 110)).isEqualTo(Decision.STAY);
            ledByAnother = true;
            assertThat(decide(Standing.CANDIDATE, 120)).isEqualTo(Decision.WITHDRAW);
        }

        @Test
        void anUnfitLeaderHandsOverNotWithinALeaseDurationOfItsBeginning() {
            leadsSince(100);
            fit(false, 101);
            assertThat(step(Standing.LEADS, 105).wakeAt()).isEqualTo(at(115));
        }

        @Test
        void anUnfitLeaderDoesNothingAboutAStateThatLastsForLessThanARetryPeriod() {
            leadsSince(0);
            for (int second = 100; second < 200; second += 2) {
                fit(false, second);
                assertThat(decide(Standing.LEADS, second + 1)).isEqualTo(Decision.STAY);
                fit(true, second + 1);
                assertThat(decide(Standing.LEADS, second + 1)).isEqualTo(Decision.STAY);
            }
        }
    }

    @Nested
    class AfterItHasHandedOver {

        private void handOverAt(long seconds, String... others) {
            leadsSince(0);
            fit(false, seconds - 2);
            decide(Standing.LEADS, seconds);
            found(seconds, others);
        }

        @Test
        void anUnfitLeaderStaysOutWhileAnotherLeadsAfterItHasHandedOver() {
            handOverAt(100, "b");
            ledByAnother = true;
            assertThat(decide(Standing.NONE, 101)).isEqualTo(Decision.STAY);
            ledByAnother = false;
            assertThat(decide(Standing.NONE, 1_000)).isEqualTo(Decision.STAY);
        }

        @Test
        void anUnfitLeaderJoinsAgainIfNoOtherTakesOverWithinALeaseDurationAfterItHasHandedOver() {
            handOverAt(100, "b");
            assertThat(step(Standing.NONE, 100).wakeAt()).isEqualTo(at(115));
            assertThat(decide(Standing.NONE, 115)).isEqualTo(Decision.JOIN);
            assertThat(decide(Standing.CANDIDATE, 116)).isEqualTo(Decision.STAY);
        }

        @Test
        void anUnfitLeaderHandsOverToNoneOfThoseThatDidNotTakeOverButToANewOneAfterItHasHandedOver() {
            handOverAt(100, "b");
            decide(Standing.NONE, 115);
            leadsSince(116);
            assertThat(decide(Standing.LEADS, 131)).isEqualTo(Decision.FIND_OTHERS);
            assertThat(found(131, "b")).isEqualTo(Decision.STAY);
            assertThat(decide(Standing.LEADS, 146)).isEqualTo(Decision.FIND_OTHERS);
            assertThat(found(146, "b", "c")).isEqualTo(Decision.HAND_OVER);
        }

        @Test
        void aLastResortThatIsFitIsACandidateLikeAnyOther() {
            handOverAt(100, "b");
            decide(Standing.NONE, 115);
            fit(true, 120);
            assertThat(decide(Standing.CANDIDATE, 120)).isEqualTo(Decision.STAY);
            fit(false, 130);
            assertThat(decide(Standing.CANDIDATE, 130)).isEqualTo(Decision.WITHDRAW);
        }
    }

    /** A probe that flaps every three seconds, and a coordinator that elects this process whenever it is a candidate. */
    @Test
    void movesLeadershipAtMostOnceInALeaseDuration() {
        Standing standing = Standing.NONE;
        long moved = -100;
        for (long second = 0; second < 1_000; second++) {
            fit(second % 6 < 3, second);
            Decision decision = decide(standing, second);
            if (decision == Decision.FIND_OTHERS) {
                decision = found(second, "b");
            }
            if (decision == Decision.HAND_OVER) {
                assertThat(second - moved).as("the time between two moves").isGreaterThanOrEqualTo(15);
                moved = second;
                standing = Standing.NONE;
            } else if (decision == Decision.WITHDRAW) {
                standing = Standing.NONE;
            } else if (decision == Decision.JOIN) {
                assertThat(second - moved).as("the time between two moves").isGreaterThanOrEqualTo(15);
                moved = second;
                leadsSince(second);
                standing = Standing.LEADS;
            }
            ledByAnother = standing == Standing.NONE;
        }
        assertThat(moved).as("the last move").isGreaterThan(900);
    }
}
