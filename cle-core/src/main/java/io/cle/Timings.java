package io.cle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The three durations of a lock, with client-go's names and defaults, and the durations derived from them.
 *
 * @param leaseDuration how long other candidates wait after a renewal before they may acquire the lease
 * @param renewDeadline how long the holder may still lead after its last successful renewal was sent ({@code safety.md#deadline-from-send})
 * @param retryPeriod how long to wait after a failed attempt
 */
public record Timings(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {

    /** client-go's defaults: 15 s, 10 s, 2 s. */
    public static final Timings DEFAULT =
            new Timings(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    /** The longest duration that may be configured for a lease. Much longer durations overflow an instant in nanoseconds, or a Lease's seconds. */
    public static final Duration LONGEST = Duration.ofDays(3_650);

    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(5);

    /** client-go's JitterFactor. A renew deadline that isn't longer than the retry period with jitter leaves no time for a second attempt. */
    private static final double JITTER_FACTOR = 1.2;

    /**
     * A contradiction between two durations, or a duration that is invalid by itself.
     *
     * @param first the name of the duration at fault: {@code lease-duration}, {@code renew-deadline} or {@code retry-period}
     * @param second the name of the duration that it contradicts; the same as {@code first} if the value is invalid by itself
     * @param rule the rule that is broken, for display, with {@code %s} for the other duration
     */
    public record Problem(String first, String second, String rule) {}

    /** Returns the problems of these durations; empty if they are valid. */
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
                    "must be shorter than %s, because the holder has to stop before others may lead"));
        }
        if (renewDeadline.toNanos() <= retryPeriod.toNanos() * JITTER_FACTOR) {
            problems.add(
                    new Problem(
                            "retry-period",
                            "renew-deadline",
                            "must be shorter than %s divided by 1.2, because a renewal that fails needs time for another attempt"));
        }
        return problems;
    }

    /**
     * Returns how long a holder waits after a successful renewal before the next one: a fifth of the lease duration, or less so that at
     * least three attempts fit into the renew deadline.
     */
    public Duration renewInterval() {
        return Duration.ofNanos(Math.min(leaseDuration.toNanos() / 5, renewDeadline.toNanos() / 10 * 3));
    }

    /**
     * Returns the timeout of one request: at most 5 s, and at most half the renew deadline, so that there is time for another attempt
     * ({@code safety.md#deadline-from-send}).
     */
    public Duration requestTimeout() {
        Duration half = Duration.ofNanos(renewDeadline.toNanos() / 2);
        return half.compareTo(LONGEST_REQUEST) < 0 ? half : LONGEST_REQUEST;
    }

    /** Returns the largest ratio between two processes' clock rates that still excludes two leaders: lease duration over renew deadline. */
    public double toleratedClockRateRatio() {
        return (double) leaseDuration.toNanos() / renewDeadline.toNanos();
    }

    /**
     * Returns how long before its deadline a leader whose renewals fail makes a last attempt, regardless of its back-off: long enough for a
     * read and a write.
     */
    public Duration lastAttempt() {
        return renewDeadline.dividedBy(20);
    }

    /**
     * Returns the longest outage of the API server during which no leader loses its term, in the worst case: the outage begins just before
     * a renewal, and requests time out instead of failing at once. If connections are refused, as during a restart of an API server, terms
     * survive a longer outage because of the {@link #lastAttempt()}.
     */
    public Duration toleratedOutage() {
        Duration untilOneIsGivenUp =
                renewDeadline.minus(renewInterval()).minus(requestTimeout()).minus(retryPeriod);
        return untilOneIsGivenUp.compareTo(requestTimeout()) > 0 ? untilOneIsGivenUp : requestTimeout();
    }

    /** Returns the longest time from the crash of a holder until another process may lead: the holder had renewed just before the crash. */
    public Duration worstCrashFailover() {
        return leaseDuration;
    }
}
