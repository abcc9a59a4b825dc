package io.cle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The three durations of a lock, client-go's by name and default, and what follows from them.
 *
 * @param leaseDuration how long others wait after a renewal before they may take the lease
 * @param renewDeadline how long after the sending of its last successful renewal the holder may still lead ({@code safety.md#deadline-from-send})
 * @param retryPeriod how long to wait between attempts that fail
 */
public record Timings(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

    /** client-go's defaults: 15 s, 10 s, 2 s. */
    public static final Timings DEFAULT =
            new Timings(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    /** The longest duration that may be configured for a lease. A much longer one overflows an instant in nanoseconds, or a Lease's seconds. */
    public static final Duration LONGEST = Duration.ofDays(3_650);

    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(5);

    /** How client-go stretches its retry period by jitter; a deadline that leaves no room for it never sees a second try. */
    private static final double JITTER_FACTOR = 1.2;

    /**
     * What contradicts itself.
     *
     * @param first the name of the duration that is at fault: {@code lease-duration}, {@code renew-deadline} or
     *     {@code retry-period}
     * @param second the name of the one it contradicts; the same name where the value alone is wrong
     * @param rule what must hold between them, for a person to read
     */
    public record Problem(String first, String second, String rule) {}

    /** The contradictions in these durations; empty when they can be used. */
    public List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        if (leaseDuration.compareTo(Duration.ofSeconds(1)) < 0) {
            problems.add(new Problem("lease-duration", "lease-duration", "must be at least 1s"));
        } else if (!leaseDuration.equals(Duration.ofSeconds(leaseDuration.toSeconds()))) {
            problems.add(new Problem(
                    "lease-duration",
                    "lease-duration",
                    "must be whole seconds, as the Lease object counts in seconds"));
        }
        if (retryPeriod.isNegative() || retryPeriod.isZero()) {
            problems.add(new Problem("retry-period", "retry-period", "must be above zero"));
        }
        if (leaseDuration.compareTo(renewDeadline) <= 0) {
            problems.add(new Problem(
                    "renew-deadline",
                    "lease-duration",
                    "must be below it: the holder has to stop before others may start"));
        }
        if (renewDeadline.toNanos() <= retryPeriod.toNanos() * JITTER_FACTOR) {
            problems.add(new Problem(
                    "retry-period",
                    "renew-deadline",
                    "times 1.2 must be below it: a renewal that fails needs the time for another try"));
        }
        return problems;
    }

    /**
     * How long a holder waits after a successful renewal before the next one: a fifth of the lease duration, and never
     * so long that fewer than three attempts fit into the renew deadline.
     */
    public Duration renewInterval() {
        return Duration.ofNanos(Math.min(leaseDuration.toNanos() / 5, renewDeadline.toNanos() / 10 * 3));
    }

    /**
     * How long one request may take: at most 5 s, and never more than half the renew deadline, so that an attempt after it is possible
     * ({@code safety.md#deadline-from-send}).
     */
    public Duration requestTimeout() {
        Duration half = Duration.ofNanos(renewDeadline.toNanos() / 2);
        return half.compareTo(LONGEST_REQUEST) < 0 ? half : LONGEST_REQUEST;
    }

    /** By what factor the clock rates of two processes may differ before two could lead: lease duration over renew deadline. */
    public double toleratedClockRateRatio() {
        return (double) leaseDuration.toNanos() / renewDeadline.toNanos();
    }

    /** How long before its deadline a leader whose renewals fail makes a last attempt, whatever its back-off: enough for a read and a write. */
    public Duration lastAttempt() {
        return renewDeadline.dividedBy(20);
    }

    /**
     * For how long the API server may be away without the loss of a term, at worst: the outage begins just before a renewal, and no request is
     * answered meanwhile. The first one is given up after the request timeout, and the next is in time; with a long renew deadline several fit
     * into it. If connections are refused instead, as they are while an API server is restarted, the {@link #lastAttempt()} saves the term of a
     * longer outage.
     */
    public Duration toleratedOutage() {
        Duration untilOneIsGivenUp =
                renewDeadline.minus(renewInterval()).minus(requestTimeout()).minus(retryPeriod);
        return untilOneIsGivenUp.compareTo(requestTimeout()) > 0 ? untilOneIsGivenUp : requestTimeout();
    }

    /** From the crash of a holder until another may lead, at worst: it had renewed just before. */
    public Duration worstCrashFailover() {
        return leaseDuration;
    }
}
