package io.cle.kubernetes.internal.watch;

import java.time.Duration;
import java.util.Optional;

import io.cle.model.internal.ResourceVersions;
import org.jspecify.annotations.Nullable;

/** What answers have shown and a watch hasn't reported yet; and answers that contradict what it has reported. */
final class WatchLagDetector {

    /** How long a watch may fail to tell of what an answer has shown: it takes API servers milliseconds. */
    private static final Duration LAG = Duration.ofSeconds(5);

    private @Nullable String version;
    private long since;
    private boolean behind;
    private long behindSince;

    /** Another watch begins, which has nothing to catch up with. */
    void reset() {
        version = null;
        behind = false;
    }

    /**
     * Takes note of whether an answer shows an older state than the watch has reported. One such answer means nothing, because the watch
     * may have overtaken it. If all answers do for a while, the API server's history is another one (safety.md#new-history).
     *
     * @param now in monotonic nanoseconds
     * @return the contradiction; empty when there is none, or it's too early to say
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
     * Takes note of a version that an answer has shown.
     *
     * @param position up to where the watch has reported
     * @param now in monotonic nanoseconds
     * @return what the watch should have reported long ago, and hasn't; empty when all is well, or it's too early to say
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
