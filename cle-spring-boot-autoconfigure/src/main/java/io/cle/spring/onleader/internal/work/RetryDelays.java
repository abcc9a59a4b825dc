package io.cle.spring.onleader.internal.work;

import java.time.Duration;

import io.cle.spring.onleader.OnLeaderProperties;

/**
 * How long failed work waits before its next attempt in the same term.
 *
 * @param first after the first failure; doubles with each further one
 * @param longest the delay doesn't grow beyond; a run that lasted longer than this begins with {@code first} again
 */
public record RetryDelays(Duration first, Duration longest) {

    static RetryDelays of(OnLeaderProperties properties) {
        Duration first = properties.retryDelay();
        Duration longest = properties.maxRetryDelay();
        return new RetryDelays(first, longest.compareTo(first) < 0 ? first : longest);
    }
}
