package io.cle.lock.internal;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.cle.Timings;
import io.cle.lock.internal.LockMachine.Action;
import io.cle.lock.internal.LockMachine.Event;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A process that is copied with its memory ({@code safety.md#own-record}). */
class LockCloneTest {

    private static final Duration RENEW_INTERVAL = Timings.DEFAULT.renewInterval();

    private final Race race = new Race();

    @Nested
    class CopyOfALeader {

        @Test
        void copyOfALeaderLeadsNoLongerThanUntilItsNextRenewal() {
            race.join(Race.direct("a", null)).run(Duration.ofSeconds(1)).copy("a", "copy");
            assertThat(race.leaders()).containsExactly("a", "copy");

            assertThat(race.runUntilOneLeads(Duration.ofMinutes(1))).isLessThanOrEqualTo(RENEW_INTERVAL);
            race.run(Duration.ofMinutes(1));
            assertThat(race.leaders()).hasSize(1);
            assertThat(race.story())
                    .filteredOn(line -> line.endsWith("LEASE_LOST"))
                    .hasSize(1);
        }

        @Test
        void copyOfALeaderLeadsAfterTheOther() {
            race.join(Race.direct("a", null)).run(Duration.ofSeconds(1)).copy("a", "copy");
            race.runUntilOneLeads(Duration.ofMinutes(1));
            String first = race.leaders().get(0);
            race.crash(first).run(Duration.ofSeconds(16));

            assertThat(race.leaders()).hasSize(1).doesNotContain(first);
        }

        @Test
        void copyOfALeaderIsReportedOnce() {
            race.join(Race.direct("a", null)).run(Duration.ofSeconds(1)).copy("a", "copy");
            race.runUntilOneLeads(Duration.ofMinutes(1));
            race.run(Duration.ofMinutes(1));

            assertThat(reportsOfTwins()).hasSize(1);
        }
    }

    @Test
    void aCopyOfAStandbyThatBeginsATermIsWaitedOutByTheOther() {
        race.join(Race.direct("b", null)).run(Duration.ofSeconds(1));
        race.join(Race.direct("a", null)).run(Duration.ofSeconds(1)).copy("a", "copy");
        race.crash("b").run(Duration.ofSeconds(17));
        assertThat(race.leaders()).hasSize(1);

        race.run(Duration.ofMinutes(1));
        assertThat(race.leaders()).hasSize(1);
    }

    @Test
    void anotherLiveProcessOfTheSameIdentityIsReportedOnce() {
        LockDriver lock = LockDriver.direct("a");
        lock.taken("a", "n9");
        assertThat(lock.reports()).isEmpty();

        lock.after(Duration.ofSeconds(3)).renewed().after(Duration.ofSeconds(3)).renewed();
        assertThat(lock.reports()).singleElement().asString().contains("another live process has the identity 'a'");
    }

    @Test
    void aFormerSelfThatHasDiedIsNotReported() {
        LockDriver lock = LockDriver.direct("a");
        lock.taken("a", "n9").serve(Duration.ofMinutes(1));

        assertThat(lock.leads()).isTrue();
        assertThat(lock.reports()).isEmpty();
    }

    @Test
    void aStartAfterAStopDrawsAnotherNonce() {
        LockDriver lock = LockDriver.direct("a");
        lock.serve(Duration.ofSeconds(1)).stop().drained().serve(Duration.ofSeconds(1));
        assertThat(lock.record().held()).isFalse();

        lock.step(new Event.Start("restored")).serve(Duration.ofSeconds(2));
        assertThat(lock.leads()).isTrue();
        assertThat(Objects.requireNonNull(lock.record().term()).writtenBy("restored"))
                .isTrue();
    }

    @Test
    void everyRenewalHasAnIdOfItsOwn() {
        LockDriver lock = LockDriver.direct("a");
        lock.serve(Duration.ofMinutes(1));

        List<String> ids = lock.actions(Action.WriteLease.class).stream()
                .map(write -> Objects.requireNonNull(write.desired().term()).write())
                .toList();
        assertThat(ids).hasSizeGreaterThan(10).doesNotContainNull().doesNotHaveDuplicates();
    }

    @Test
    void aRenewalOfUnknownOutcomeThatWasCarriedOutIsOnesOwn() {
        LockDriver lock = LockDriver.direct("a");
        lock.serve(Duration.ofSeconds(1)).after(Duration.ofSeconds(3));
        lock.applyWrite().loseWrite().serve(Duration.ofSeconds(20));

        assertThat(lock.leads()).isTrue();
        assertThat(lock.actions(Action.Revoke.class)).isEmpty();
    }

    private List<String> reportsOfTwins() {
        return race.story().stream()
                .filter(line -> line.contains("another live process"))
                .toList();
    }
}
