package io.cle.spring.properties.internal;

import java.time.Duration;

import io.cle.KeyComparison;
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
 * @param keyOrder how keys are compared; {@code null} when no property says it
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
        @Nullable KeyOrder keyOrder,
        Duration takeoverTimeout,
        @Nullable String container) {

    /**
     * What {@code cle.candidate.key-comparison} says.
     *
     * @param property the property that says it
     * @param text as it was written
     * @param comparison which of two keys takes precedence
     * @param versionKey the program's version, the key of a process without another one; {@code null} if it isn't known, or no versions
     *     are compared
     */
    public record KeyOrder(
            String property,
            String text,
            KeyComparison comparison,
            @Nullable String versionKey) {}

    /** For how long a candidate counts that isn't renewed: two renewals may fail (KEP-4355). */
    public Duration validity() {
        return renewInterval.multipliedBy(2);
    }
}
