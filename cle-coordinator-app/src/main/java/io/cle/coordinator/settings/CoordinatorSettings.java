package io.cle.coordinator.settings;

import java.util.Optional;
import java.util.Set;

import io.cle.ApiFormat;
import io.cle.lock.internal.LockConfig;
import io.cle.runtime.internal.coordinator.CoordinatorConfig;

/**
 * The checked settings of a coordinator.
 *
 * @param namespaces the namespaces to coordinate in; empty for all
 * @param election by which strategies and timings to elect
 * @param largestObject how many characters an object may have
 * @param format the wire format; empty to ask the API server
 * @param replica the lock that the coordinator's replicas race for
 */
public record CoordinatorSettings(
        Set<String> namespaces,
        CoordinatorConfig election,
        long largestObject,
        Optional<ApiFormat> format,
        LockConfig replica) {

    /** The set becomes immutable. */
    public CoordinatorSettings {
        namespaces = Set.copyOf(namespaces);
    }
}
