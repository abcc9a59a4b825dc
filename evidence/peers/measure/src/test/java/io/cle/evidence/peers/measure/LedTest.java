package io.cle.evidence.peers.measure;

import java.util.List;
import java.util.stream.Stream;

import io.cle.evidence.process.Event;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Milliseconds in the events, so that the histories can be read. */
class LedTest {

    @Test
    void isLedByNoneBetweenARevocationAndTheNextGrant() {
        assertThat(led(100, 900, events("10 granted", "300 revoked"), events("450 granted")))
                .isEqualTo(new Led(150, 0, 1));
    }

    @Test
    void isLedByTwoFromTheNextGrantUntilTheRevocation() {
        assertThat(led(100, 900, events("10 granted", "500 revoked"), events("300 granted")))
                .isEqualTo(new Led(0, 200, 1));
    }

    @Test
    void twoThatLeadAtTheEndHaveLedUntilThen() {
        assertThat(led(100, 900, events("10 granted"), events("300 granted"))).isEqualTo(new Led(0, 600, 2));
    }

    @Test
    void noneThatLeadsAtTheEndHasLedUntilThen() {
        assertThat(led(100, 900, events("10 granted", "200 revoked"), events())).isEqualTo(new Led(700, 0, 0));
    }

    @Test
    void nothingCountsThatIsOutsideOfTheInterval() {
        assertThat(led(
                        100,
                        900,
                        events("10 granted", "50 revoked", "950 granted"),
                        events("20 granted", "960 revoked")))
                .isEqualTo(new Led(0, 0, 1));
    }

    @Test
    void aChangeOfLeaderInOneInstantIsNeither() {
        assertThat(led(100, 900, events("10 granted", "300 revoked"), events("300 granted")))
                .isEqualTo(new Led(0, 0, 1));
    }

    @Test
    void aGrantOrRevocationThatIsRepeatedChangesNothing() {
        assertThat(led(
                        100,
                        900,
                        events("5 revoked", "10 granted", "200 granted", "300 revoked", "400 revoked"),
                        events("20 boot")))
                .isEqualTo(new Led(600, 0, 0));
    }

    private static Led led(long from, long to, List<Event> first, List<Event> second) {
        return Led.during(from * 1_000_000, to * 1_000_000, List.of(first, second));
    }

    private static List<Event> events(String... lines) {
        return Stream.of(lines)
                .map(line -> line.split(" "))
                .map(parts -> new Event(Long.parseLong(parts[0]) * 1_000_000, parts[1]))
                .toList();
    }
}
