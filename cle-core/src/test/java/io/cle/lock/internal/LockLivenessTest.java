package io.cle.lock.internal;

import java.time.Duration;
import java.util.Random;

import io.cle.Role;
import io.cle.lock.internal.LockMachine.Action;
import io.cle.model.internal.ApiResult;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whatever has happened to a lock, it recovers once that is over, driven only by its own wake-ups and the answers to
 * its own requests. It never asks to be woken only to do nothing ({@link LockDriver#after} checks that).
 * Rule: {@code safety.md#candidate-again}.
 */
class LockLivenessTest {

    private static final int RUNS = 400;
    private static final int STEPS = 60;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCandidateLeadsAgainSoonerOrLaterWhateverHasHappened(boolean coordinated) {
        for (long seed = 0; seed < RUNS; seed++) {
            LockDriver lock = coordinated ? LockDriver.coordinated("a") : LockDriver.direct("a");
            misfortune(lock, new Random(seed));

            lock.start().relist();
            for (int i = 0; i < 120 && !lock.leads(); i++) {
                endDrains(lock);
                lock.serve(Duration.ofSeconds(1));
            }

            assertThat(lock.leads()).as("leads in the end, seed " + seed).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStoppedLockSettlesWhateverHasHappenedAndWithoutAnyResponse(boolean answers) {
        for (long seed = 0; seed < RUNS; seed++) {
            LockDriver lock = LockDriver.coordinated("a");
            misfortune(lock, new Random(seed));

            lock.stop();
            Duration patience = LockDriver.DRAIN_TIMEOUT.plusSeconds(16);
            if (answers) {
                lock.relist().serve(patience);
            } else {
                lock.outage(patience);
            }

            assertThat(lock.state().settled()).as("settled, seed " + seed).isTrue();
            assertThat(lock.role()).isEqualTo(Role.STOPPED);
            assertThat(lock.state().wakeAt())
                    .as("nothing left to do, seed " + seed)
                    .isEqualTo(LockState.NEVER);
        }
    }

    private static void misfortune(LockDriver lock, Random random) {
        for (int i = 0; i < STEPS; i++) {
            anything(lock, random);
        }
    }

    private static void anything(LockDriver lock, Random random) {
        switch (random.nextInt(18)) {
            case 0 -> lock.grant(random.nextBoolean() ? "a" : "b");
            case 1 -> lock.askToYield(random.nextBoolean() ? "b" : null);
            case 2 -> lock.taken(random.nextBoolean() ? "a" : "b", "other");
            case 3 -> lock.takenByPlain(random.nextBoolean() ? "a" : "plain");
            case 4 -> lock.released();
            case 5 -> lock.renewed();
            case 6 -> lock.delete();
            case 7 -> lock.write(lease -> lease.holder(random.nextBoolean() ? "a" : null));
            case 8 -> lock.write(lease -> lease.term(null));
            case 9 -> lock.breakWatch();
            case 10 -> lock.relist();
            case 11 -> lock.stop();
            case 12 -> lock.start();
            case 13 -> lock.resign();
            case 14 -> endDrains(lock);
            case 15 -> lock.freeze(Duration.ofMillis(random.nextInt(20_000)));
            default -> lock.after(Duration.ofMillis(random.nextInt(5_000)));
        }
        answer(lock, random);
    }

    private static void answer(LockDriver lock, Random random) {
        if (lock.writing() != null) {
            switch (random.nextInt(6)) {
                case 0 -> lock.loseWrite();
                case 1 -> lock.endWrite(new ApiResult.Refused<>(429, "too many requests", Duration.ofSeconds(3)));
                case 2 -> lock.freeze(Duration.ofMillis(random.nextInt(3_000)));
                default -> lock.answerWrite();
            }
        } else if (lock.reading() && random.nextInt(3) > 0) {
            if (random.nextBoolean()) {
                lock.answerRead();
            } else {
                lock.loseRead();
            }
        }
    }

    private static void endDrains(LockDriver lock) {
        if (!lock.actions(Action.Revoke.class).isEmpty()) {
            lock.drained();
        }
    }
}
