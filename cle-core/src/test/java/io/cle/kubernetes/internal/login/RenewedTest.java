package io.cle.kubernetes.internal.login;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.cle.loop.internal.LoggedLines;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(30)
class RenewedTest {

    private static final Duration NO_WAIT = Duration.ZERO;

    private final HandClock clock = new HandClock();

    @RegisterExtension
    private final LoggedLines log = new LoggedLines(Renewed.class);

    /** What the source gives, the next first; an exception is thrown. */
    private final Deque<Object> given = new ArrayDeque<>();

    private int reads;

    private static Renewed.Fresh<String> fresh(String value, @Nullable Duration renewIn, @Nullable Duration validFor) {
        return new Renewed.Fresh<>(value, renewIn, validFor);
    }

    /** One that ends after ten minutes, and is renewed two minutes earlier. */
    private static Renewed.Fresh<String> tenMinutes(String value) {
        return fresh(value, Duration.ofMinutes(8), Duration.ofMinutes(10));
    }

    @SuppressWarnings("unchecked")
    private Renewed.Fresh<String> read() throws IOException {
        reads++;
        Object next = given.remove();
        if (next instanceof IOException e) {
            throw e;
        }
        return (Renewed.Fresh<String>) next;
    }

    @Nested
    class InPlace {

        private final Renewed<String> renewed = Renewed.inPlace("the file f", RenewedTest.this::read, clock);

        private void give(String value) {
            given.add(fresh(value, Duration.ofMinutes(1), null));
        }

        @Test
        void aValueRenewedInPlaceIsReadAgainWhenItIsAMinuteOld() throws IOException {
            give("old");
            give("new");
            assertThat(renewed.get(NO_WAIT)).isEqualTo("old");

            clock.advance(Duration.ofSeconds(59));
            assertThat(renewed.get(NO_WAIT)).isEqualTo("old");
            clock.advance(Duration.ofSeconds(1));
            assertThat(renewed.get(NO_WAIT)).isEqualTo("new");
        }

        @Test
        void aValueRenewedInPlaceHasAnAgeThatTheWallClockDoesNotChange() throws IOException {
            give("old");
            give("new");
            renewed.get(NO_WAIT);

            clock.setWall(Instant.parse("2036-01-01T00:00:00Z"));
            assertThat(renewed.get(NO_WAIT)).isEqualTo("old");
            clock.setWall(Instant.parse("1970-01-01T00:00:00Z"));
            clock.advance(Duration.ofMinutes(1));
            assertThat(renewed.get(NO_WAIT)).isEqualTo("new");
        }

        @Test
        void aValueRenewedInPlaceStaysInUseWhileItCannotBeRead() throws IOException {
            give("old");
            given.add(new IOException("half written"));
            give("new");
            renewed.get(NO_WAIT);
            clock.advance(Duration.ofMinutes(1));

            assertThat(renewed.get(NO_WAIT)).isEqualTo("old");
            clock.advance(Renewed.RETRY);
            assertThat(renewed.get(NO_WAIT)).isEqualTo("new");
        }

        @Test
        void aValueRenewedInPlaceIsReadAgainAtOnceIfItWasRefused() throws IOException {
            give("old");
            give("new");
            String old = renewed.get(NO_WAIT);
            clock.advance(Renewed.SPACING);

            renewed.doubt(old);

            assertThat(renewed.get(NO_WAIT)).isEqualTo("new");
        }

        @Test
        void aValueRenewedInPlaceIsReadOnceIfItWasRefusedTwice() throws IOException {
            give("old");
            give("new");
            String old = renewed.get(NO_WAIT);
            clock.advance(Renewed.SPACING);

            renewed.doubt(old);
            clock.advance(Renewed.SPACING);
            renewed.doubt(old);

            assertThat(reads).isEqualTo(2);
        }

        @Test
        void aValueRenewedInPlaceIsNotReadInEachOfManyRequestsThatAreRefused() throws IOException {
            give("refused");
            String refused = renewed.get(NO_WAIT);

            for (int i = 0; i < 100; i++) {
                renewed.doubt(refused);
            }

            assertThat(reads).isEqualTo(1);
        }

        @Test
        void aValueRenewedInPlaceIsReadAgainIfItMayHaveBeenRefused() throws IOException {
            give("old");
            give("new");
            renewed.get(NO_WAIT);
            clock.advance(Renewed.SPACING);

            renewed.suspect("old");

            assertThat(renewed.get(NO_WAIT)).isEqualTo("new");
        }

        @Test
        void aValueRenewedInPlaceNamesItselfIfItCannotBeReadAtFirst() {
            given.add(new IOException("no such file"));

            assertThatThrownBy(() -> renewed.get(NO_WAIT))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the file f: no such file");
        }
    }

    @Nested
    class InBackground {

        private final List<Runnable> threads = new ArrayList<>();
        private final List<Runnable> timers = new ArrayList<>();
        private final Renewed<String> renewed = Renewed.inBackground(
                "the plugin p", RenewedTest.this::read, clock, threads::add, (delay, task) -> timers.add(task));

        /** Lets the threads run that were started. */
        private void run() {
            List<Runnable> started = List.copyOf(threads);
            threads.clear();
            started.forEach(Runnable::run);
        }

        private void fireTimers() {
            List<Runnable> set = List.copyOf(timers);
            timers.clear();
            set.forEach(Runnable::run);
        }

        /** The value, which isn't there yet. */
        private void first(Renewed.Fresh<String> value) throws IOException {
            given.add(value);
            assertThatThrownBy(() -> renewed.get(NO_WAIT)).hasMessageContaining("it has returned nothing for 0 ms");
            run();
            assertThat(renewed.get(NO_WAIT)).isEqualTo(value.value());
        }

        @Test
        void aValueRenewedInBackgroundIsAskedOnceByAllWhoNeedItAtTheStart() throws Exception {
            given.add(tenMinutes("value"));
            ExecutorService callers = Executors.newFixedThreadPool(5);
            try {
                List<Future<String>> got = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    got.add(callers.submit(() -> renewed.get(Duration.ofSeconds(20))));
                }
                while (threads.isEmpty()) {
                    Thread.onSpinWait();
                }
                run();

                for (Future<String> one : got) {
                    assertThat(one.get(20, TimeUnit.SECONDS)).isEqualTo("value");
                }
                assertThat(reads).isEqualTo(1);
            } finally {
                callers.shutdownNow();
            }
        }

        @Test
        void aValueRenewedInBackgroundIsKeptUntilItsEndIsNear() throws IOException {
            first(tenMinutes("value"));

            clock.advance(Duration.ofSeconds(479));
            renewed.get(NO_WAIT);
            fireTimers();

            assertThat(threads).isEmpty();
        }

        @Test
        void aValueRenewedInBackgroundIsRenewedAheadByItsTimerWithoutAnyRequest() throws IOException {
            first(tenMinutes("old"));
            given.add(tenMinutes("new"));

            clock.advance(Duration.ofMinutes(8));
            fireTimers();
            run();

            assertThat(renewed.get(NO_WAIT)).isEqualTo("new");
        }

        @Test
        void aValueRenewedInBackgroundIsNotRenewedAheadIfNobodyUsedIt() throws IOException {
            first(tenMinutes("old"));
            given.add(tenMinutes("new"));
            clock.advance(Duration.ofMinutes(8));
            fireTimers();
            run();

            clock.advance(Duration.ofMinutes(8));
            fireTimers();

            assertThat(threads).isEmpty();
        }

        @Test
        void aValueRenewedInBackgroundCostsNothingWhileItHangsIfItsValueIsValid() throws IOException {
            first(tenMinutes("old"));
            clock.advance(Duration.ofMinutes(8));
            fireTimers();

            assertThat(threads).hasSize(1);
            clock.advance(Duration.ofSeconds(119));
            assertThat(renewed.get(NO_WAIT)).isEqualTo("old");
        }

        @Test
        void aValueRenewedInBackgroundCostsNothingWhileItFailsIfItsValueIsValidAndIsAskedAgain() throws IOException {
            first(tenMinutes("old"));
            given.add(new IOException("exit code 1"));
            given.add(tenMinutes("new"));
            clock.advance(Duration.ofMinutes(8));
            fireTimers();
            run();

            assertThat(renewed.get(NO_WAIT)).isEqualTo("old");
            assertThat(threads).isEmpty();
            clock.advance(Renewed.RETRY);
            fireTimers();
            run();
            assertThat(renewed.get(NO_WAIT)).isEqualTo("new");
        }

        @Test
        void aValueRenewedInBackgroundIsNamedInOneWarningAMinuteWhileItFailsAndItsValueIsValid() throws IOException {
            first(tenMinutes("old"));
            clock.advance(Duration.ofMinutes(8));
            for (int i = 0; i < 7; i++) {
                given.add(new IOException("exit code 1"));
                fireTimers();
                run();
                renewed.get(NO_WAIT);
                clock.advance(Renewed.RETRY);
            }

            assertThat(log.lines())
                    .containsExactly(
                            "WARN the plugin p: exit code 1; its last value is used for 120 s more, with further attempts",
                            "WARN the plugin p: exit code 1; its last value is used for 60 s more, with further attempts");
        }

        @Test
        void aValueRenewedInBackgroundIsNamedWithItsFailureWhenItsValueHasEnded() throws IOException {
            first(tenMinutes("old"));
            given.add(new IOException("exit code 1"));
            clock.advance(Duration.ofMinutes(10));
            fireTimers();
            run();

            assertThatThrownBy(() -> renewed.get(NO_WAIT))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the plugin p: exit code 1");
        }

        @Test
        void aValueRenewedInBackgroundIsNamedIfItHangsWhenItsValueHasEnded() throws IOException {
            first(tenMinutes("old"));
            clock.advance(Duration.ofMinutes(10));

            assertThatThrownBy(() -> renewed.get(Duration.ofMillis(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessage("the plugin p: it has returned nothing for 1 ms");
        }

        @Test
        void aValueRenewedInBackgroundIsAskedAgainIfItHangsForEver() throws IOException {
            first(tenMinutes("old"));
            given.add(tenMinutes("new"));
            clock.advance(Duration.ofMinutes(8));
            fireTimers();
            threads.clear();
            clock.advance(Renewed.LONGEST_RUN);

            assertThatThrownBy(() -> renewed.get(NO_WAIT)).isInstanceOf(IOException.class);
            run();

            assertThat(renewed.get(NO_WAIT)).isEqualTo("new");
        }

        @Test
        void aValueRenewedInBackgroundIsAskedAgainIfItsValueWasRefusedWhichIsUsedUntilThen() throws IOException {
            first(fresh("old", null, null));
            given.add(fresh("new", null, null));
            clock.advance(Duration.ofDays(1));

            renewed.doubt("old");

            assertThat(renewed.get(NO_WAIT)).isEqualTo("old");
            run();
            assertThat(renewed.get(NO_WAIT)).isEqualTo("new");
        }

        @Test
        void aValueRenewedInBackgroundIsNotAskedAgainForEachConnectionThatBreaks() throws IOException {
            first(fresh("value", null, null));
            clock.advance(Duration.ofDays(1));

            renewed.suspect("value");

            assertThat(threads).isEmpty();
        }

        @Test
        void aValueRenewedInBackgroundIsAskedAgainIfItsThreadCouldNotBeStarted() throws IOException {
            int[] attempts = {0};
            Renewed<String> unlucky = Renewed.inBackground(
                    "the plugin p",
                    RenewedTest.this::read,
                    clock,
                    task -> {
                        if (attempts[0]++ == 0) {
                            throw new OutOfMemoryError("unable to create native thread");
                        }
                        task.run();
                    },
                    (delay, task) -> {});
            given.add(tenMinutes("value"));

            assertThatThrownBy(() -> unlucky.get(NO_WAIT)).isInstanceOf(OutOfMemoryError.class);
            assertThat(unlucky.get(NO_WAIT)).isEqualTo("value");
        }
    }
}
