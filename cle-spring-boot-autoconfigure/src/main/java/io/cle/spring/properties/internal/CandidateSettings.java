package io.cle.spring.properties.internal;

import java.time.Duration;

import io.cle.model.Version;
import io.cle.spring.properties.Requirement;
import org.jspecify.annotations.Nullable;

/**
 * What is announced for one lease.
 *
 * @param enabled whether this process may be elected; if not, it follows the lease
 * @param requires which state of the application it needs for that
 * @param binaryVersion the program's version; {@code null} when it isn't set
 * @param compatibilityVersion the version it is compatible with
 * @param strategy the strategy it asks for
 * @param priority its priority, for {@code HighestPriority}
 * @param renewInterval how often the candidacy is renewed while no ping comes
 * @param key KEP-2835's key on a direct lock; {@code null} when none is set
 * @param takeoverTimeout how long a holder that was asked to yield to a higher key has to do so
 * @param container the container of the pod that the process runs in; {@code null} when it isn't set
 */
public record CandidateSettings(
        boolean enabled,
        Requirement requires,
        @Nullable Version binaryVersion,
        @Nullable Version compatibilityVersion,
        String strategy,
        @Nullable Integer priority,
        Duration renewInterval,
        @Nullable String key,
        Duration takeoverTimeout,
        @Nullable String container) {

    /** For how long a candidate counts that isn't renewed: two renewals may fail (KEP-4355). */
    public Duration validity() {
        return renewInterval.multipliedBy(2);
    }
}
