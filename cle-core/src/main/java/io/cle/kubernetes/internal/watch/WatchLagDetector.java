package io.cle.kubernetes.internal.watch;

import java.time.Duration;
import java.util.Optional;

import io.cle.model.internal.ResourceVersions;
import org.jspecify.annotations.Nullable;

/** Detects that a watch lags behind the answers to requests, and that answers contradict what the watch has reported. */
final class WatchLagDetector {

    /** How long a watch may take to report a version from an answer. API servers take milliseconds. */
    private static final Duration LAG = Duration.ofSeconds(5);

    private @Nullable String version;
    private long since;
    private boolean behind;
    private long behindSince;

    /** Starts over for another watch. */
    void reset() {
        version = null;
        behind = false;
    }

    /**
     * Records whether an answer is older than what the watch has reported. One such answer means nothing, because the watch may have
     * overtaken it. If all answers are older for some time, the API server's history has begun anew (safety.md#new-history).
     *
     * @param now in monotonic nanoseconds
     * @return the contradiction; empty if there is none, or if it is too early to say
     */
    Optional<String> behind(boolean older, String shown, long now) {
        if (!older || !behind) {
            behind = older;
            behindSince = now;
            return Optional.empty();
        }
        Duration lasts = Duration.ofNanos(now - behindSince);
        return lasts.compareTo(LAG) < 0
                ? Optional.empty()
                : Optional.of("has reported later versions than the API server has given out for " + lasts.toMillis()
                        + " ms, last " + shown);
    }

    /**
     * Records the version in an answer.
     *
     * @param position the version up to which the watch has reported
     * @param now in monotonic nanoseconds
     * @return the version that the watch should have reported long ago; empty if there is none, or if it is too early to say
     */
    Optional<String> shown(String next, String position, long now) {
        if (version == null || !ResourceVersions.older(position, version)) {
            version = next;
            since = now;
            return Optional.empty();
        }
        Duration lag = Duration.ofNanos(now - since);
        return lag.compareTo(LAG) < 0
                ? Optional.empty()
                : Optional.of("hasn't shown version " + version + " for " + lag.toMillis() + " ms");
    }
}
