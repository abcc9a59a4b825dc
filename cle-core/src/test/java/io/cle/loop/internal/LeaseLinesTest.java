package io.cle.loop.internal;

import java.util.stream.IntStream;

import io.cle.lock.internal.VirtualLoop;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseLinesTest {

    @RegisterExtension
    final LoggedLines log = new LoggedLines(LeaseLinesTest.class);

    private final VirtualLoop loop = new VirtualLoop();
    private final LeaseLines lines = new LeaseLines(LoggerFactory.getLogger(LeaseLinesTest.class), loop);

    private void newHolders(int from, int to) {
        IntStream.range(from, to)
                .forEach(i -> lines.log(
                        Level.INFO, "have a new holder", "shop/lease-%03d".formatted(i), "the holder is 'a'"));
    }

    private void windowsPass(int windows) {
        loop.advance(LeaseLines.WINDOW.multipliedBy(windows).plusNanos(1));
    }

    @Test
    void linesOfAFewLeasesAreAllLogged() {
        for (int i = 0; i < 5; i++) {
            newHolders(0, LeaseLines.SHOWN);
        }
        windowsPass(3);

        assertThat(log.lines()).hasSize(5 * LeaseLines.SHOWN);
    }

    @Test
    void linesOfManyLeasesAreCountedAfterTheFirstOnes() {
        newHolders(0, 200);
        windowsPass(3);

        assertThat(log.lines())
                .hasSize(LeaseLines.SHOWN + 1)
                .last()
                .isEqualTo("INFO 197 more leases have a new holder; each is logged at DEBUG");
    }

    @Test
    void linesOfOneLeaseMoreAreLoggedAsTheyAre() {
        newHolders(0, LeaseLines.SHOWN + 1);
        windowsPass(1);

        assertThat(log.lines()).last().isEqualTo("INFO Lease shop/lease-003: the holder is 'a'");
    }

    @Test
    void linesThatComeAfterwardsAreLoggedAgain() {
        newHolders(0, 200);
        windowsPass(3);
        newHolders(150, 151);

        assertThat(log.lines()).last().isEqualTo("INFO Lease shop/lease-150: the holder is 'a'");
    }

    @Test
    void linesOfAnotherKindAreLogged() {
        newHolders(0, 200);
        lines.log(Level.WARN, "have lost their leadership", "shop/lease-150", "leadership lost");

        assertThat(log.lines()).last().isEqualTo("WARN Lease shop/lease-150: leadership lost");
    }

    @Test
    void linesThatWereCountedAreLoggedWhenTheProcessEnds() {
        newHolders(0, 5);
        lines.close();

        assertThat(log.lines()).last().asString().startsWith("INFO 2 more leases have a new holder");
    }
}
