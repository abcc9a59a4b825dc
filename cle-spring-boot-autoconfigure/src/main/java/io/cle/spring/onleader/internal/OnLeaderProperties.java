package io.cle.spring.onleader.internal;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of led work.
 *
 * @param retryDelay Delay before work of the leader that has failed is run again in the same term. It doubles with each further
 *     failure.
 * @param maxRetryDelay Longest delay before work of the leader that has failed is run again.
 */
@ConfigurationProperties("cle.on-leader")
public record OnLeaderProperties(
        @DefaultValue("1s") Duration retryDelay,
        @DefaultValue("1m") Duration maxRetryDelay) {

    /** Replaces a longest delay that is shorter than the first one by the first one. */
    public OnLeaderProperties {
        maxRetryDelay = maxRetryDelay.compareTo(retryDelay) < 0 ? retryDelay : maxRetryDelay;
    }
}
