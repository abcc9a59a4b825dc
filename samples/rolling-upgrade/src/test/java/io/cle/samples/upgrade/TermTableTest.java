package io.cle.samples.upgrade;

import java.util.List;
import java.util.OptionalLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TermTableTest {

    @Test
    void alignsTermsAndShowsTheTimeWithoutALeaderBetweenThem() {
        List<RecordedTerm> terms = List.of(
                new RecordedTerm(
                        "orders-a", "1.1.0", 9, 1_000_000_000L, OptionalLong.of(2_000_000_000L), "end of term"),
                new RecordedTerm("orders-d", "1.0.0", 14, 2_007_000_000L, OptionalLong.empty(), ""));

        String table = TermTable.of(terms, token -> token * 10);

        assertThat(table.lines())
                .containsExactly(
                        "  term  leader    version  from (ms)  to (ms)  no leader before (ms)  fencing token  writes  ended by",
                        "     1  orders-a  1.1.0        1,000    2,000                                     9      90  end of term",
                        "     2  orders-d  1.0.0        2,007                               7             14     140  (still leads)");
    }
}
