package io.cle.kubernetes.internal.watch;

import java.time.Duration;
import java.util.Optional;

import io.cle.model.ResourceVersions;
import org.jspecify.annotations.Nullable;

/** What answers have shown and a watch hasn't told of yet. */
final class Overdue {

    /** How long a watch may fail to tell of what an answer has shown: it takes API servers milliseconds. */
    private static final Duration LAG = Duration.ofSeconds(5);

    private @Nullable String version;
    private long since;

    /** Another watch begins, which has nothing to catch up with. */
    void reset() {
        version = null;
    }

    /**
     * Takes note of a version that an answer has shown.
     *
     * @param position up to where the watch has told
     * @param now in monotonic nanoseconds
     * @return what the watch should have told of long ago, and hasn't; empty when all is well, or it's too early to say
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
                : Optional.of("hasn't told of version " + version + " for " + lag.toMillis() + " ms");
    }
}
