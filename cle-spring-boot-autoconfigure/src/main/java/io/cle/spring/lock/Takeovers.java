package io.cle.spring.lock;

import java.util.List;

import io.cle.lock.KeyComparison;
import io.cle.lock.LockConfig.Takeover;
import io.cle.spring.properties.ConfigurationProblem;
import io.cle.spring.properties.InvalidCleConfigurationException;
import io.cle.spring.properties.LeaseSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who may take a direct lock over from its holder: by this process's key and the application's comparison (KEP-2835). */
public final class Takeovers {

    private static final Logger log = LoggerFactory.getLogger(Takeovers.class);
    private static final int LONGEST_KEY = 256;

    private final @Nullable KeyComparison comparison;
    private final @Nullable CandidateKey supplier;

    /**
     * Takeovers by an application's beans.
     *
     * @param comparison says which of two keys takes precedence; {@code null} where the application has none
     * @param supplier supplies the key where no property says it; {@code null} where the application has none
     */
    public Takeovers(@Nullable KeyComparison comparison, @Nullable CandidateKey supplier) {
        this.comparison = comparison;
        this.supplier = supplier;
    }

    /**
     * What holds for a lease; {@code null} where nobody takes precedence over a holder.
     *
     * @throws InvalidCleConfigurationException when there is a key and nothing to compare it by, or the supplied key is too long
     */
    @Nullable
    Takeover of(LeaseSettings settings) {
        String configured = settings.candidate().key();
        String key = configured == null && supplier != null ? supplier.of(settings.name()) : configured;
        if (key == null && comparison == null) {
            return null;
        }
        if (comparison == null) {
            throw invalid(
                    key,
                    "there is no KeyComparison bean to compare it by",
                    "Declare one, for example KeyComparisons.newestVersion(), or remove the key.");
        }
        if (key != null && key.length() > LONGEST_KEY) {
            throw invalid(
                    key,
                    "the CandidateKey bean supplied " + key.length() + " characters, and " + LONGEST_KEY
                            + " is the most (KEP-2835)",
                    "Let it supply a shorter key.");
        }
        return new Takeover(
                key == null ? "" : key,
                guarded(comparison),
                settings.candidate().takeoverTimeout());
    }

    private static InvalidCleConfigurationException invalid(@Nullable String key, String reason, String action) {
        return new InvalidCleConfigurationException(
                List.of(new ConfigurationProblem("cle.candidate.key", key, reason, action)));
    }

    /** A comparison that fails says nothing, and is told of; the election goes on without it. */
    private static KeyComparison guarded(KeyComparison comparison) {
        return (ourKey, holderKey) -> {
            try {
                return comparison.takesPrecedence(ourKey, holderKey);
            } catch (RuntimeException e) {
                log.error(
                        "the KeyComparison bean {} failed on our key '{}' and the holder's '{}'; nobody is asked to yield",
                        comparison.getClass().getName(),
                        ourKey,
                        holderKey,
                        e);
                return false;
            }
        };
    }
}
