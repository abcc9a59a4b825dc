package io.cle.lock.internal;

import java.util.stream.IntStream;

import io.cle.loop.internal.LoggedLines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

class LeaseLinesTest {

    @RegisterExtension
    final LoggedLines log = new LoggedLines(LeaseLines.class);

    private final VirtualLoop loop = new VirtualLoop();
    private final LeaseLines lines = new LeaseLines(loop);

    private long shown(int from, int to) {
        return IntStream.range(from, to)
                .filter(i -> lines.isShown("lead", "shop/lease-%03d".formatted(i)))
                .count();
    }

    @Test
    void aFewLeasesHaveAllOfTheirLines() {
        for (int i = 0; i < 5; i++) {
            assertThat(shown(0, LeaseLines.SHOWN)).isEqualTo(LeaseLines.SHOWN);
        }
        loop.advance(LeaseLines.WINDOW.multipliedBy(3));
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void manyThatSayTheSameAreSummedUpOnce() {
        assertThat(shown(0, 200)).isEqualTo(LeaseLines.SHOWN);
        loop.advance(LeaseLines.WINDOW.multipliedBy(3));
        assertThat(log.lines())
                .singleElement()
                .asString()
                .startsWith("INFO 197 more leases: lead: shop/lease-003, shop/lease-004,")
                .endsWith("shop/lease-012 and 187 others; each is logged at DEBUG");
    }

    @Test
    void thoseThatFollowWhileOthersAreSummedUpAreInTheNextSum() {
        shown(0, 100);
        loop.advance(LeaseLines.WINDOW);
        assertThat(shown(100, 200)).isZero();
        loop.advance(LeaseLines.WINDOW);
        assertThat(log.lines()).hasSize(2).last().asString().startsWith("INFO 100 more leases: lead: shop/lease-100,");
    }

    @Test
    void aLeaseThatSaysItLaterHasALineOfItsOwn() {
        shown(0, 200);
        loop.advance(LeaseLines.WINDOW.multipliedBy(3));
        assertThat(shown(150, 151)).isOne();
    }

    @Test
    void aLeaseThatSaysSomethingElseHasALineOfItsOwn() {
        shown(0, 200);
        assertThat(lines.isShown("no longer lead", "shop/lease-150")).isTrue();
    }

    @Test
    void whatIsHeldBackIsSummedUpWhenTheProcessEnds() {
        shown(0, 4);
        lines.close();
        assertThat(log.lines()).containsExactly("INFO 1 more lease: lead: shop/lease-003; each is logged at DEBUG");
    }
}
