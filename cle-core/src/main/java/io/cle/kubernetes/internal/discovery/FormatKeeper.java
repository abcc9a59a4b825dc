package io.cle.kubernetes.internal.discovery;

import java.time.Duration;
import java.util.Optional;

import io.cle.api.ApiFormat;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a process has to change from its wire format to the other one, because its API server has changed: the native API isn't
 * served any more, its feature gate is off, or a CRD was deleted. A format that can be used is kept, even where the other one would be
 * preferred, so that no process goes back and forth. It is left when two answers, some time apart, say that it can't be used and the other
 * one can: of several API servers one may lag behind, or not be ready yet.
 *
 * <p>Not thread-safe.
 */
final class FormatKeeper {

    /** How far apart the two answers have to be. */
    static final Duration WHILE = Duration.ofSeconds(10);

    private @Nullable Long unusableSince;

    /**
     * Takes note of what an API server serves.
     *
     * @param using the format in use
     * @param nanos the monotonic time of the answer
     * @return the format to change to; empty to stay
     */
    Optional<ApiFormat> heard(ApiFormat using, ServedFormats served, long nanos) {
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
}
