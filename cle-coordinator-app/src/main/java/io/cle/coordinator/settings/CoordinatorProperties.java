package io.cle.coordinator.settings;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.cle.spring.properties.ApiSelection;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;

/**
 * The properties of the coordinator, as bound and not yet validated.
 *
 * @param namespaces the namespaces to coordinate in; empty for all
 * @param crossNamespace namespaces whose candidates and lease configurations may name leases of other namespaces; empty for none
 * @param strategies the strategies of leases, by namespace and name of the lease: {@code shop/orders=HighestPriority}
 * @param ackTimeout how long candidates have to acknowledge (safety.md#acknowledgement)
 * @param leaseDuration how long an elected holder has the lease until it must have renewed it; whole seconds
 * @param api the wire format
 * @param preemption when a better candidate ends a term
 * @param replica the election among the coordinator's replicas
 */
@ConfigurationProperties("cle.coordinator")
public record CoordinatorProperties(
        @DefaultValue Set<String> namespaces,
        @DefaultValue Set<String> crossNamespace,
        @DefaultValue Map<String, String> strategies,
        @DefaultValue("5s") Duration ackTimeout,
        @DefaultValue("15s") Duration leaseDuration,
        @DefaultValue("auto") ApiSelection api,
        @DefaultValue Preemption preemption,
        @DefaultValue Replica replica) {

    /**
     * Returns {@link #strategies} with the slashes in their keys. Spring Boot keeps them only in keys in brackets, and silently drops them
     * from {@code cle.coordinator.strategies.shop/orders}.
     *
     * @param environment the environment from which these were bound
     */
    public Map<String, String> strategiesByLease(ConfigurableEnvironment environment) {
        String prefix = "cle.coordinator.strategies.";
        Map<String, String> restored = new LinkedHashMap<>(strategies);
        environment.getPropertySources().stream()
                .flatMap(source -> source instanceof EnumerablePropertySource<?> enumerable
                        ? Stream.of(enumerable.getPropertyNames())
                        : Stream.empty())
                .filter(name -> name.startsWith(prefix) && name.indexOf('/') > 0)
                .map(name -> name.substring(prefix.length()))
                .forEach(key -> {
                    String strategy = restored.remove(key.replaceAll("[^A-Za-z0-9.-]", ""));
                    if (strategy != null) {
                        restored.putIfAbsent(key, strategy);
                    }
                });
        return restored;
    }

    /**
     * When a better candidate ends a term.
     *
     * @param stabilization how long a candidate must have existed before it ends a leader's term; zero to end it at once
     */
    public record Preemption(@DefaultValue("0s") Duration stabilization) {}

    /**
     * The election among the coordinator's replicas.
     *
     * @param lease the name of the lease that the replicas race for
     * @param namespace its namespace; by default the pod's, else the context's, else {@code default}
     * @param identity the identity of this replica; by default the host name and five random characters
     */
    public record Replica(
            @DefaultValue("coordinated-election-controller") String lease,
            @Nullable String namespace,
            @Nullable String identity) {}
}
