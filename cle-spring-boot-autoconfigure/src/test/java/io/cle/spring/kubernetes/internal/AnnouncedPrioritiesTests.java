package io.cle.spring.kubernetes.internal;

import java.time.Duration;

import io.cle.InvalidConfigurationException;
import io.cle.spring.FakeLock;
import io.cle.spring.ManualLoop;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@ExtendWith(OutputCaptureExtension.class)
class AnnouncedPrioritiesTests {

    private final ManualLoop loop = new ManualLoop();
    private final FakeLock lock = new FakeLock("orders");
    private @Nullable Integer answer = 5;
    private boolean fails;

    private final AnnouncedPriorities priorities =
            new AnnouncedPriorities(this::priority, FakeLock.leases(), Duration.ofSeconds(30), loop, Runnable::run);

    private @Nullable Integer priority(String lease) {
        assertThat(lease).isEqualTo("orders");
        if (fails) {
            throw new IllegalStateException("no load average");
        }
        return answer;
    }

    @Test
    void theFirstAnswerIsAnnouncedBeforeTheLockJoins() {
        priorities.customize("orders", lock);

        assertThat(lock.priorities()).containsExactly(5);
    }

    @Test
    void anAnswerThatChangesIsAnnouncedOnceItHasComeTwiceInARow() {
        priorities.customize("orders", lock);

        answer(7);
        assertThat(lock.priorities()).containsExactly(5);
        answer(7);
        assertThat(lock.priorities()).containsExactly(5, 7);
        answer(7);
        assertThat(lock.priorities()).containsExactly(5, 7);
    }

    @Test
    void aShortPeakIsNotAnnounced() {
        priorities.customize("orders", lock);

        answer(7);
        answer(5);
        answer(7);

        assertThat(lock.priorities()).containsExactly(5);
    }

    @Test
    void noPriorityIsAnAnswer() {
        priorities.customize("orders", lock);

        answer(null);
        answer(null);

        assertThat(lock.priorities()).containsExactly(5, null);
    }

    @Test
    void aBeanThatFailsIsLoggedAndAskedAgain(CapturedOutput output) {
        priorities.customize("orders", lock);
        fails = true;
        pass();
        fails = false;
        answer(7);
        answer(7);

        assertThat(output)
                .contains("lease orders: the CandidatePriority bean failed; the announced priority stays")
                .contains("no load average");
        assertThat(lock.priorities()).containsExactly(5, 7);
    }

    @Test
    void aLeaseThatIsDroppedIsNotAskedForAgain() {
        priorities.customize("orders", lock);

        priorities.dropped("orders");

        assertThat(loop.hasTimer()).isFalse();
    }

    @Test
    void nothingIsAskedAfterTheContextHasClosed() {
        priorities.customize("orders", lock);

        priorities.close();

        assertThat(loop.hasTimer()).isFalse();
    }

    @Test
    void anIntervalBelowASecondIsRefused() {
        assertThatThrownBy(() -> new AnnouncedPriorities(
                        lease -> 1, FakeLock.leases(), Duration.ofMillis(999), loop, Runnable::run))
                .isInstanceOf(InvalidConfigurationException.class)
                .hasMessageContainingAll("cle.candidate.priority-interval", "PT0.999S");
    }

    /** The bean is asked again, and says this. */
    private void answer(@Nullable Integer next) {
        answer = next;
        pass();
    }

    private void pass() {
        assertThat(loop.hasTimer()).isTrue();
        loop.pass();
        assertThat(loop.delays()).containsOnly(Duration.ofSeconds(30));
    }
}
