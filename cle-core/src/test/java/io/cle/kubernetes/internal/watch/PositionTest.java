package io.cle.kubernetes.internal.watch;

import java.util.Map;

import io.cle.model.ObjectKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PositionTest {

    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");

    private final Reflector.Position known = new Reflector.Position();

    @Test
    void aListHasToShowWhatAnAnswerShowedBeforeItWasRequested() {
        known.reset("60", Map.of());
        known.answered(ORDERS, "90");
        known.listRequested();

        assertThat(known.contradiction("80", Map.of())).isPresent();
        assertThat(known.contradiction("90", Map.of(ORDERS, "90"))).isEmpty();
    }

    @Test
    void aListNeedNotShowWhatAnAnswerShowsWhileItIsUnderWay() {
        known.reset("60", Map.of());
        known.listRequested();
        known.answered(ORDERS, "90");

        assertThat(known.contradiction("80", Map.of(ORDERS, "70"))).isEmpty();
    }

    @Test
    void aListNeedNotHaveAnObjectThatIsKnown() {
        known.reset("60", Map.of(ORDERS, "50"));

        assertThat(known.contradiction("60", Map.of())).isEmpty();
    }

    @Test
    void anOlderAnswerDoesNotReplaceANewerOne() {
        known.reset("60", Map.of());
        known.answered(ORDERS, "90");
        known.listRequested();
        known.answered(ORDERS, "70");
        known.listRequested();

        assertThat(known.contradiction("80", Map.of())).isPresent();
    }

    @Test
    void versionsThatAreNoNumbersContradictNothing() {
        known.reset("b", Map.of());

        assertThat(known.contradiction("a", Map.of())).isEmpty();
    }
}
