package io.cle.coordinator.actuate;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.cle.runtime.internal.loop.EventLoop;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Down when the event loop doesn't answer: then nothing but a restart helps. */
public record EventLoopHealthIndicator(EventLoop loop) implements HealthIndicator {

    private static final Duration PATIENCE = Duration.ofSeconds(3);

    @Override
    public Health health() {
        long asked = loop.clock().nanos();
        try {
            CompletableFuture.runAsync(() -> {}, loop).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return Health.up()
                    .withDetail("answeredInMicros", (loop.clock().nanos() - asked) / 1000)
                    .build();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Health.unknown().withDetail("problem", "interrupted").build();
        } catch (ExecutionException | TimeoutException e) {
            return Health.down()
                    .withDetail("problem", "the event loop doesn't answer within " + PATIENCE)
                    .build();
        }
    }
}
