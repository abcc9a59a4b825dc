package io.cle.samples.migration;

import java.time.Duration;

import io.cle.samples.narration.Problems;
import io.cle.samples.narration.Stopwatch;
import io.cle.samples.narration.StoryFailedException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BoardTest {

    private final Problems problems = new Problems();
    private final Board board = new Board(new Stopwatch(), problems);

    @Test
    void seesAJobInTwoPlaces() {
        board.signOn("invoices", "shop-a");
        board.signOn("reminders", "billing-b");
        assertThat(problems.messages()).isEmpty();
        board.signOn("invoices", "billing-b");
        assertThat(problems.messages()).hasSize(1);
        assertThat(problems.messages().get(0)).contains("invoices began in billing-b", "while it ran in shop-a");
    }

    @Test
    void takesAJobThatHasMovedForWhatItIs() {
        board.signOn("invoices", "shop-a");
        board.signOff("invoices", "shop-a");
        board.signOn("invoices", "billing-b");
        assertThat(problems.messages()).isEmpty();
        assertThat(board.now()).containsEntry("invoices", "billing-b");
        assertThat(board.gapBefore(board.stints().get(0))).isEmpty();
        assertThat(board.gapBefore(board.stints().get(1))).isPresent();
    }

    @Test
    void seesAnEndWithoutABeginning() {
        board.signOff("invoices", "shop-a");
        assertThat(problems.messages()).hasSize(1);
    }

    @Test
    void saysWhatIsInsteadOfWhatDidNotCome() {
        board.signOn("invoices", "shop-a");
        assertThatExceptionOfType(StoryFailedException.class)
                .isThrownBy(() -> board.await(jobs -> false, "invoices in billing", Duration.ofMillis(1)))
                .withMessageContaining("invoices in billing: not within 1 ms")
                .withMessageContaining("invoices=shop-a");
    }
}
