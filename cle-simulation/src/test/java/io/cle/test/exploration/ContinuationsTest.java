package io.cle.test.exploration;

import java.util.ArrayList;
import java.util.List;

import io.cle.test.exploration.Move.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The explorer follows the continuation without faults from every state, each by one step. */
class ContinuationsTest {

    private static final int GOAL = 0;
    private static final int BOUND = 12;

    /**
     * A state is a number, which is its distance from the goal in ticks. Histories count up to {@code states}; a continuation counts down,
     * except from {@code trap}, from which it goes to {@code exit}.
     */
    private static final class Ladder implements StateSpace<Ladder.Rung> {

        private final int states;
        private final int trap;
        private final int exit;
        private int steps;

        private record Rung(int number, int tick) {}

        Ladder(int states, int trap, int exit) {
            this.states = states;
            this.trap = trap;
            this.exit = exit;
        }

        @Override
        public Rung initial() {
            return new Rung(GOAL, 0);
        }

        @Override
        public List<Successor<Rung>> successors(Rung rung) {
            List<Successor<Rung>> successors = new ArrayList<>();
            if (rung.number() < states) {
                Move move = new Move(Kind.CRASH, 0, 0);
                successors.add(new Successor<>(move, next(rung, move)));
            }
            return successors;
        }

        @Override
        public Rung next(Rung rung, Move move) {
            return new Rung(rung.number() + 1, rung.tick() + 1);
        }

        @Override
        public Fingerprint fingerprint(Rung rung) {
            Clocks clocks = new Clocks(List.of(Setting.SECOND));
            return Fingerprint.of(
                    (renaming, parts) -> parts.add(Tokens.of(rung.number(), clocks)),
                    clocks,
                    0,
                    0,
                    Long.MAX_VALUE,
                    false,
                    List.of(new int[] {0}));
        }

        @Override
        public Fingerprint fingerprintWithoutFaults(Rung rung) {
            return fingerprint(rung);
        }

        @Override
        public String goal() {
            return "ground";
        }

        @Override
        public boolean reachesGoal(Rung rung) {
            return rung.number() == GOAL;
        }

        @Override
        public Rung withoutFaults(Rung from) {
            return from;
        }

        @Override
        public Rung nextWithoutFaults(Rung rung) {
            steps++;
            return new Rung(rung.number() == trap ? exit : rung.number() - 1, rung.tick() + 1);
        }

        @Override
        public int tick(Rung rung) {
            return rung.tick();
        }

        @Override
        public String describe(Rung rung) {
            return "rung " + rung.number();
        }

        @Override
        public String describe(Move move, Rung before) {
            return "up";
        }
    }

    @Test
    void eachStateCostsOneStep() {
        Ladder ladder = new Ladder(BOUND, -1, -1);

        Explorer.Result result = explored(ladder);

        assertThat(result.violation()).isNull();
        assertThat(result.longestWait()).isEqualTo(BOUND);
        assertThat(ladder.steps).isEqualTo(BOUND);
    }

    @Test
    void aStateThatIsOneTickFurtherThanTheBoundIsFoundWithItsHistory() {
        String violation = explored(new Ladder(BOUND + 1, -1, -1)).violation();

        assertThat(violation).contains("no ground within 12 ticks").contains("=> rung 13");
    }

    @Test
    void aStateWhoseContinuationGoesRoundIsFoundWithItsHistory() {
        String violation = explored(new Ladder(BOUND, 8, 8)).violation();

        assertThat(violation).contains("no ground ever").contains("=> rung 8").doesNotContain("=> rung 9");
    }

    @Test
    void aStateWhoseContinuationComesBackLaterIsFound() {
        assertThat(explored(new Ladder(BOUND, 5, 7)).violation()).contains("no ground ever");
    }

    private static Explorer.Result explored(Ladder ladder) {
        return new Explorer<>("a ladder", ladder, BOUND, Integer.MAX_VALUE).run();
    }
}
