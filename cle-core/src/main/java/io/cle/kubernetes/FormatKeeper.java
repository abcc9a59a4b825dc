package io.cle.kubernetes;

import java.time.Duration;
import java.util.Optional;

import io.cle.api.ApiFormat;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a process that runs with a wire format has to go over to the other one, as its API server has changed: the native API
 * is served no more or its feature gate is off, or a CRD was deleted. A format that can be used is kept, also where the other one has
 * come to be preferred, so that nobody goes back and forth; it is left when two answers with a while between them say that it can't be
 * used, and the other one can. One answer isn't enough: of several API servers one may be behind, or not be ready yet.
 *
 * <p>Not thread-safe.
 */
public final class FormatKeeper {

    /** How far apart the two answers have to be. */
    static final Duration WHILE = Duration.ofSeconds(10);

    /** How often to ask where nothing is wrong. */
    private static final Duration SELDOM = Duration.ofMinutes(30);

    private @Nullable Long unusableSince;

    /** Nothing was heard yet. */
    public FormatKeeper() {}

    /**
     * Takes note of what an API server serves.
     *
     * @param using the format in use
     * @param nanos the monotonic time of the answer
     * @return the format to go over to; empty to stay
     */
    public Optional<ApiFormat> heard(ApiFormat using, ServedFormats served, long nanos) {
        if (served.formats().contains(using)) {
            unusableSince = null;
            return Optional.empty();
        }
        Long since = unusableSince;
        if (since == null) {
            unusableSince = nanos;
            return Optional.empty();
        }
        if (nanos - since < WHILE.toNanos() || served.preferred().isEmpty()) {
            return Optional.empty();
        }
        unusableSince = null;
        return served.preferred();
    }

    /** Whether the format in use could be used when the API server last answered. */
    public boolean usable() {
        return unusableSince == null;
    }

    /** After what time to ask again. */
    public Duration askAgainIn() {
        return usable() ? SELDOM : WHILE;
    }
}
