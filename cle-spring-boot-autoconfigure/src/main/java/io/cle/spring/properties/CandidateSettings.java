package io.cle.spring.properties;

import java.time.Duration;

import io.cle.model.Version;
import org.jspecify.annotations.Nullable;

/**
 * What is announced for one lease.
 *
 * @param binaryVersion the program's version; {@code null} when nobody has said it
 * @param compatibilityVersion the version it is compatible with
 * @param strategy the strategy it asks for
 * @param priority its priority, for {@code HighestPriority}
 * @param renewInterval how often the candidacy is renewed while nobody asks
 */
public record CandidateSettings(
        @Nullable Version binaryVersion,
        @Nullable Version compatibilityVersion,
        String strategy,
        @Nullable Integer priority,
        Duration renewInterval) {

    /** For how long a candidate counts that isn't renewed: two renewals may fail (KEP-4355). */
    public Duration validity() {
        return renewInterval.multipliedBy(2);
    }
}
