package io.cle.spring.kubernetes.internal;

import java.time.Duration;

import io.cle.InvalidConfigurationException;
import io.cle.KeyComparison;
import io.cle.lock.internal.LockConfig.Takeover;
import io.cle.spring.kubernetes.CandidateKey;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.Setting;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may take a direct lock over from its holder: by this process's key and the application's comparison (KEP-2835).
 *
 * @param comparison says which of two keys takes precedence; {@code null} where the application has none
 * @param supplier supplies the key where no property says it; {@code null} where the application has none
 */
public record TakeoverFactory(
        @Nullable KeyComparison comparison, @Nullable CandidateKey supplier) {

    private static final Logger log = LoggerFactory.getLogger(TakeoverFactory.class);

    /** KEP-2835's limit. */
    private static final int LONGEST_KEY = 256;

    private static final String KEY = "cle.candidate.key";
    private static final String TIMEOUT = "cle.candidate.takeover-timeout";

    /**
     * What holds for a lease; {@code null} if no candidate takes precedence over a holder.
     *
     * @throws InvalidConfigurationException when there is a key and nothing to compare it by, the key is too long, or a
     *     holder would be preempted while its work is ending
     */
    @Nullable
    Takeover of(LeaseSettings settings) {
        if (settings.resourceLock().coordinated()) {
            logThatNoCandidateAsks(settings);
            return null;
        }
        String configured = settings.candidate().key();
        String key = configured == null && supplier != null ? supplier.of(settings.name()) : configured;
        if (key == null && comparison == null) {
            return null;
        }
        if (comparison == null) {
            throw new InvalidConfigurationException(
                    KEY,
                    key,
                    "there is no KeyComparison bean to compare it by, for the lease '" + settings.name() + "'",
                    "Declare one, for example KeyComparison.newestVersion(), or remove the key.");
        }
        if (key != null && key.length() > LONGEST_KEY) {
            throw new InvalidConfigurationException(
                    KEY,
                    key,
                    "it has " + key.length() + " characters for the lease '" + settings.name() + "', and " + LONGEST_KEY
                            + " is the most (KEP-2835)",
                    "Shorten it, or let the CandidateKey bean supply a shorter one.");
        }
        Duration timeout = settings.candidate().takeoverTimeout();
        if (timeout.compareTo(settings.drainTimeout()) <= 0) {
            throw new InvalidConfigurationException(
                    TIMEOUT,
                    Setting.text(timeout),
                    "contradicts cle.drain-timeout = '" + Setting.text(settings.drainTimeout()) + "' for the lease '"
                            + settings.name()
                            + "': it must be above it, or a holder would be preempted while its work is ending",
                    "Raise " + TIMEOUT + " or lower cle.drain-timeout.");
        }
        return new Takeover(key == null ? "" : key, guarded(comparison), timeout);
    }

    private void logThatNoCandidateAsks(LeaseSettings settings) {
        if (comparison != null || supplier != null) {
            log.info(
                    "lease {}: a coordinator elects, so that no KeyComparison or CandidateKey bean has a say; direct locks"
                            + " have keys (cle.resource-lock=leases)",
                    settings.name());
        }
    }

    /** A comparison that fails says nothing, and is told of; the election goes on without it. */
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
