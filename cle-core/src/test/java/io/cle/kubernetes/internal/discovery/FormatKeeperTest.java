package io.cle.kubernetes.internal.discovery;

import java.time.Duration;
import java.util.Set;

import io.cle.api.ApiFormat;
import org.junit.jupiter.api.Test;

import static io.cle.api.ApiFormat.CRD;
import static io.cle.api.ApiFormat.NATIVE;
import static org.assertj.core.api.Assertions.assertThat;

class FormatKeeperTest {

    private final FormatKeeper keeper = new FormatKeeper();

    private static ServedFormats serves(ApiFormat... formats) {
        return new ServedFormats(Set.of(formats), "");
    }

    private static long after(int seconds) {
        return Duration.ofSeconds(seconds).toNanos();
    }

    @Test
    void aFormatThatCanBeUsedIsKeptThoughTheOtherOneIsPreferred() {
        assertThat(keeper.heard(CRD, serves(CRD, NATIVE), after(0))).isEmpty();
        assertThat(keeper.heard(CRD, serves(CRD, NATIVE), after(100))).isEmpty();
    }

    @Test
    void aFormatIsLeftWhenTwoAnswersSayThatItCanNotBeUsed() {
        assertThat(keeper.heard(NATIVE, serves(CRD), after(0))).isEmpty();
        assertThat(keeper.heard(NATIVE, serves(CRD), after(9))).isEmpty();
        assertThat(keeper.heard(NATIVE, serves(CRD), after(10))).contains(CRD);
    }

    @Test
    void anApiServerThatIsBehindTheOthersChangesNoFormat() {
        assertThat(keeper.heard(NATIVE, serves(CRD), after(0))).isEmpty();
        assertThat(keeper.heard(NATIVE, serves(CRD, NATIVE), after(5))).isEmpty();
        assertThat(keeper.heard(NATIVE, serves(CRD), after(12))).isEmpty();
    }

    @Test
    void whereNeitherCanBeUsedTheOneInUseIsKeptUntilTheOtherOneCan() {
        assertThat(keeper.heard(NATIVE, serves(), after(0))).isEmpty();
        assertThat(keeper.heard(NATIVE, serves(), after(20))).isEmpty();
        assertThat(keeper.heard(NATIVE, serves(CRD), after(30))).contains(CRD);
    }
}
