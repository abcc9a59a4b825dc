package io.cle.election.internal;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class GroupMovesTest {

    @ParameterizedTest
    @CsvSource({"25%, 16, 4", "25%, 3, 1", "25%, 0, 1", "100%, 7, 7", "1%, 1000, 10", "3, 16, 3", "3, 2, 3"})
    void theNumberThatMayMoveIsAtLeastOne(String moves, int leases, int most) {
        assertThat(GroupMoves.parse(moves).orElseThrow().mostOf(leases)).isEqualTo(most);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%", "0", "-1", "0%", "101%", "25 percent", "2.5"})
    void aTextThatIsNeitherANumberNorAPercentageIsRefused(String text) {
        assertThat(GroupMoves.parse(text)).isEmpty();
    }
}
