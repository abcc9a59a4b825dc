package io.cle.spring.kubernetes.internal;

import java.time.Duration;

import io.cle.InvalidConfigurationException;
import io.cle.KeyComparison;
import io.cle.lock.internal.LockConfig.Takeover;
import io.cle.spring.kubernetes.CandidateKey;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.LeaseSettings.KeyOrder;
import io.cle.spring.properties.internal.Setting;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the rule by which a candidate may take a direct lock over from its holder: this process's key and a comparison (KEP-2835). A
 * property takes precedence over a bean.
 *
 * @param comparison compares two keys if no property does; {@code null} if the application has no such bean
 * @param supplier supplies the key if no property does; {@code null} if the application has no such bean
 */
public record TakeoverFactory(
        @Nullable KeyComparison comparison, @Nullable CandidateKey supplier) {

    private static final Logger log = LoggerFactory.getLogger(TakeoverFactory.class);

    /** KEP-2835's limit. */
    private static final int LONGEST_KEY = 256;

    private static final String KEY = "cle.candidate.key";
    private static final String TIMEOUT = "cle.candidate.takeover-timeout";

    /**
     * Returns the rule of a lease; {@code null} if no candidate takes precedence over a holder.
     *
     * @throws InvalidConfigurationException when there is a key and nothing to compare it by, a comparison and no key, the key is too
     *     long, or a holder would be preempted while its work is ending
     */
    @Nullable
    Takeover of(LeaseSettings settings) {
        if (settings.config().coordinated()) {
            return null;
        }
        KeyOrder order = settings.keyOrder();
        String key = key(settings, order);
        KeyComparison chosen = chosen(order);
        if (chosen == null) {
            if (key == null) {
                return null;
            }
            throw new InvalidConfigurationException(
                    KEY,
                    key,
                    "neither " + KEY + "-comparison nor a KeyComparison bean says how to compare it, for the lease '"
                            + settings.name() + "'",
                    "Set " + KEY + "-comparison, for example to newest-version, or remove the key.");
        }
        if (order != null && key == null) {
            throw new InvalidConfigurationException(
                    order.property(),
                    order.text(),
                    "neither " + KEY + " nor a CandidateKey bean says what this process's key is, for the lease '"
                            + settings.name() + "'",
                    "Set " + KEY
                            + " (an empty one ranks last); or, to compare versions, have the build write its version"
                            + " (the Spring Boot plugin's goal build-info).");
        }
        if (key != null && key.length() > LONGEST_KEY) {
            throw new InvalidConfigurationException(
                    KEY,
                    key,
                    "it has " + key.length() + " characters for the lease '" + settings.name() + "', and " + LONGEST_KEY
                            + " is the most (KEP-2835)",
                    "Shorten it, or let the CandidateKey bean supply a shorter one.");
        }
        Duration timeout = settings.properties().candidate().takeoverTimeout();
        if (timeout.compareTo(settings.drainTimeout()) <= 0) {
            throw new InvalidConfigurationException(
                    TIMEOUT,
                    Setting.text(timeout),
                    "must be longer than cle.drain-timeout (" + Setting.text(settings.drainTimeout())
                            + ") for the lease '" + settings.name()
                            + "', or a holder would be preempted while its work is ending",
                    "Raise " + TIMEOUT + " or lower cle.drain-timeout.");
        }
        if (order != null && key != null) {
            warnIfItRanksLast(settings, order, key);
        }
        return new Takeover(key == null ? "" : key, chosen, timeout);
    }

    private @Nullable KeyComparison chosen(@Nullable KeyOrder order) {
        if (order != null) {
            return order.comparison();
        }
        return comparison == null ? null : guarded(comparison);
    }

    private @Nullable String key(LeaseSettings settings, @Nullable KeyOrder order) {
        String configured = settings.properties().candidate().key();
        if (configured != null) {
            return configured;
        }
        if (supplier != null) {
            return supplier.of(settings.name());
        }
        return order == null ? null : order.versionKey();
    }

    private static void warnIfItRanksLast(LeaseSettings settings, KeyOrder order, String key) {
        if (!key.isEmpty() && !order.comparison().takesPrecedence(key, "")) {
            log.warn(
                    "lease {}: the key '{}' can't be compared by {} = '{}', so that this process ranks last; set a key that can be,"
                            + " or another comparison",
                    settings.name(),
                    key,
                    order.property(),
                    order.text());
        }
    }

    /** Returns a comparison whose failures are logged, and by which no candidate then takes precedence. */
    private static KeyComparison guarded(KeyComparison comparison) {
        return (ourKey, holderKey) -> {
            try {
                return comparison.takesPrecedence(ourKey, holderKey);
            } catch (RuntimeException | Error e) {
                log.error(
                        "the KeyComparison bean {} failed on our key '{}' and the holder's '{}'; no holder is asked to yield",
                        comparison.getClass().getName(),
                        ourKey,
                        holderKey,
                        e);
                return false;
            }
        };
    }
}
