package io.cle.election.internal;

import java.time.Duration;

/**
 * The timing rules of an election.
 *
 * @param ackTimeout how long candidates have to acknowledge (safety.md#acknowledgement)
 * @param leaseDuration the lease duration of an elected holder, within which it must renew
 */
public record ElectionPolicy(Duration ackTimeout, Duration leaseDuration) {

    /** 5 s, 15 s. */
    public static final ElectionPolicy DEFAULT = new ElectionPolicy(Duration.ofSeconds(5), Duration.ofSeconds(15));
}
