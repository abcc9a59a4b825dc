package io.cle.spring.onleader.internal;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of led work.
 *
 * @param retryDelay Delay before failed work of the leader is run again in the same term. It doubles with each further failure.
 * @param maxRetryDelay Longest delay before failed work of the leader is run again.
 */
@ConfigurationProperties("cle.on-leader")
public record OnLeaderProperties(
        @DefaultValue("1s") Duration retryDelay,
        @DefaultValue("1m") Duration maxRetryDelay) {

    /** Raises a delay of zero, which would rerun failing work without any pause, and a longest delay below the first one. */
    public OnLeaderProperties {
        retryDelay = retryDelay.toMillis() < 1 ? Duration.ofMillis(1) : retryDelay;
        maxRetryDelay = maxRetryDelay.compareTo(retryDelay) < 0 ? retryDelay : maxRetryDelay;
    }
}
