package io.cle.election.internal;

import java.time.Duration;

/**
 * The timing rules of an election.
 *
 * @param ackTimeout how long candidates have to acknowledge (safety.md#acknowledgement)
 * @param leaseDuration for how long an elected holder has the lease before it must have renewed it
 */
public record ElectionPolicy(Duration ackTimeout, Duration leaseDuration) {

    /** 5 s, 15 s. */
    public static final ElectionPolicy DEFAULT = new ElectionPolicy(Duration.ofSeconds(5), Duration.ofSeconds(15));
}
