package io.cle.samples.upgrade;

import java.time.Duration;

import io.cle.samples.narration.Problems;
import io.cle.samples.narration.Stopwatch;
import io.cle.samples.narration.StoryFailedException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ChronicleTest {

    private final Problems problems = new Problems();
    private final Chronicle chronicle = new Chronicle(new Stopwatch(), problems);

    @Test
    void findsNothingWrongWithTermsThatFollowEachOther() {
        chronicle.granted("a", "1.1.0", 10);
        chronicle.revoked("a", 10, "end of term");
        chronicle.granted("b", "1.0.0", 11);
        chronicle.killed("b");
        chronicle.granted("a", "1.1.0", 12);

        assertThat(problems.messages()).isEmpty();
        assertThat(chronicle.terms()).extracting(RecordedTerm::end).containsExactly("end of term", "killed", "");
    }

    @Test
    void reportsATermThatBeginsBeforeTheOneBeforeHasEnded() {
        chronicle.granted("a", "1.1.0", 10);
        chronicle.granted("b", "1.0.0", 11);

        assertThat(problems.messages()).singleElement().asString().contains("b was granted", "while a had it");
    }

    @Test
    void reportsAFencingTokenThatDoesNotGrow() {
        chronicle.granted("a", "1.1.0", 10);
        chronicle.revoked("a", 10, "end of term");
        chronicle.granted("b", "1.0.0", 10);

        assertThat(problems.messages()).singleElement().asString().contains("fencing token 10");
    }

    @Test
    void reportsARevocationOfWhatWasNotGranted() {
        chronicle.revoked("a", 10, "end of term");

        assertThat(problems.messages()).singleElement().asString().contains("hadn't been granted");
    }

    @Test
    void saysWhatDidNotComeWhenWaitingIsOver() {
        chronicle.granted("a", "1.1.0", 10);

        assertThatThrownBy(() -> chronicle.await(term -> term.replica().equals("b"), "b leads", Duration.ZERO))
                .isInstanceOf(StoryFailedException.class)
                .hasMessage("b leads: not within 0 ms; a leads");
    }
}
