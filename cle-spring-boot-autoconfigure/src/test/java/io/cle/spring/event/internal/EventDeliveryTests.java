package io.cle.spring.event.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;

import io.cle.runtime.internal.loop.Clock;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationEventPublisher;

import static org.assertj.core.api.Assertions.assertThat;

/** The calls of listeners, where the test decides when a call ends. */
class EventDeliveryTests {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final CountDownLatch givenUp = new CountDownLatch(1);
    private final Thread delivering = Thread.currentThread();
    private Thread calling = delivering;

    /** Fails when the delivery has given up waiting for it. */
    private void fail() {
        try {
            givenUp.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        throw new IllegalStateException("out of paper");
    }

    /** The delivery asks for the time when it has given up; the listener's call has ended before it is answered. */
    private Instant afterTheCall() {
        if (Thread.currentThread() == delivering) {
            givenUp.countDown();
            try {
                calling.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return NOW;
    }

    @Test
    void keepsTheFailureOfAListenerThatFailsWhileItIsGivenUp() {
        ApplicationEventPublisher listener = event -> fail();
        Clock clock = new Clock() {
            @Override
            public long nanos() {
                return 0;
            }

            @Override
            public Instant wall() {
                return afterTheCall();
            }
        };
        EventDelivery delivery = new EventDelivery(
                new EventListeners(listener),
                task -> {
                    calling = new Thread(task, "listener");
                    calling.start();
                },
                Duration.ofMillis(1),
                clock);

        delivery.deliver("orders", "granted").join();

        assertThat(delivery.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.problem()).contains("out of paper"));
    }
}
