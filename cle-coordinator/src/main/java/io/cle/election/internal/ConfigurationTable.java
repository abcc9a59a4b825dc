package io.cle.election.internal;

import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

import io.cle.election.internal.api.ConfigurationStatus;
import io.cle.election.internal.api.LeaseConfiguration;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * The observed lease configurations, and their statuses. Confined to the event loop. Rule: {@code
 * protocol.md#which-strategy-applies}.
 */
final class ConfigurationTable {

    private final NamespaceRule namespaces;

    /** All configurations, with the status that was last read or written. */
    private final Map<ObjectKey, LeaseConfiguration> all = new HashMap<>();

    /** The admitted configurations by their target, the effective one first. */
    private final Map<ObjectKey, NavigableSet<LeaseConfiguration>> byTarget = new HashMap<>();

    /** Whether the stored status of a configuration may be outdated. */
    private boolean outdated;

    ConfigurationTable(NamespaceRule namespaces) {
        this.namespaces = namespaces;
    }

    /** Returns the names of all configurations. */
    List<ObjectKey> keys() {
        return List.copyOf(all.keySet());
    }

    /** Records the status of a known configuration. Returns false if it is unknown, or if more than the status has changed. */
    boolean recordStatus(LeaseConfiguration configuration) {
        LeaseConfiguration known = all.get(configuration.key());
        boolean same = known != null && known.with(configuration.status()).equals(configuration);
        if (same) {
            all.put(configuration.key(), configuration);
        }
        return same;
    }

    /**
     * Adds an unknown configuration. Returns false if it names leases of another namespace, which isn't admitted; then only its status is reported.
     */
    boolean add(LeaseConfiguration configuration) {
        all.put(configuration.key(), configuration);
        ObjectKey target = configuration.targetLease();
        boolean admitted = admits(configuration);
        if (admitted) {
            byTarget.computeIfAbsent(target, unused -> new TreeSet<>(LeaseConfiguration.precedence(target.namespace())))
                    .add(configuration);
        }
        outdated = true;
        return admitted;
    }

    private boolean admits(LeaseConfiguration configuration) {
        return namespaces.admits(configuration.key(), configuration.targetLease());
    }

    /** Removes a configuration, and returns it; {@code null} if it is unknown. */
    @Nullable
    LeaseConfiguration remove(ObjectKey key) {
        LeaseConfiguration removed = all.remove(key);
        if (removed != null) {
            byTarget.computeIfPresent(removed.targetLease(), (target, rivals) -> {
                rivals.remove(removed);
                return rivals.isEmpty() ? null : rivals;
            });
            outdated = true;
        }
        return removed;
    }

    /** Returns the most specific configurations that name a lease, the effective one first; empty if none names it. */
    Collection<LeaseConfiguration> of(ObjectKey lease) {
        Collection<LeaseConfiguration> found = rivals(lease);
        int length = byTarget.isEmpty() ? -1 : lease.name().length();
        while (found.isEmpty() && length >= 0) {
            found = rivals(LeaseConfiguration.prefixOf(lease, length--));
        }
        return found;
    }

    private Collection<LeaseConfiguration> rivals(ObjectKey target) {
        return byTarget.getOrDefault(target, Collections.emptyNavigableSet());
    }

    // ---- statuses ------------------------------------------------------------------------------------------------

    /** Has {@link #nextReport} compare all statuses again. */
    void reportAll() {
        outdated = true;
    }

    /** Returns a configuration whose stored status is outdated, with its new status; empty if there is none. */
    Optional<LeaseConfiguration> nextReport(StrategyRule rule, Instant now) {
        Optional<LeaseConfiguration> next = !outdated
                ? Optional.empty()
                : all.values().stream()
                        .map(known -> known.with(statusOf(known, rule, now)))
                        .filter(current -> !current.equals(all.get(current.key())))
                        .findFirst();
        outdated = next.isPresent();
        return next;
    }

    private ConfigurationStatus statusOf(LeaseConfiguration configuration, StrategyRule rule, Instant now) {
        boolean foreign = !admits(configuration);
        // Reveals nothing of other namespaces' configurations to one that isn't admitted.
        return ConfigurationStatus.of(
                configuration,
                foreign,
                foreign ? List.of() : rivals(configuration.targetLease()),
                rule.problemOf(configuration.strategy()),
                now);
    }
}
