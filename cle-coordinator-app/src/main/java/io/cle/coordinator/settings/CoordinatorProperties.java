package io.cle.coordinator.settings;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.cle.properties.internal.KnownProperties;
import io.cle.spring.properties.ApiSelection;
import io.cle.spring.properties.internal.CleProperties;
import io.cle.web.CoordinatorPageAutoConfiguration.PageProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.util.unit.DataSize;

/**
 * The properties of the coordinator, as they are bound.
 *
 * @param namespaces the namespaces to coordinate in; empty for all
 * @param crossNamespace namespaces whose candidates and lease configurations may name leases of other namespaces; empty for none
 * @param strategies the strategies of leases, by namespace and name of the lease: {@code shop/orders=HighestPriority}
 * @param ackTimeout how long candidates have to acknowledge (safety.md#acknowledgement)
 * @param leaseDuration for how long an elected holder has the lease before it must have renewed it; whole seconds
 * @param api the wire format
 * @param preemption when a better candidate ends a term
 * @param limits how large and how many the objects of a namespace may be
 * @param replica the election among the coordinator's replicas
 * @param probes the port for probes and metrics
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
        @DefaultValue Limits limits,
        @DefaultValue Replica replica,
        @DefaultValue Probes probes) {

    /** All properties of the coordinator, these and those of its page, its probes and its cluster. */
    public static KnownProperties known() {
        return new KnownProperties()
                .with("cle.coordinator", CoordinatorProperties.class)
                .with("cle.coordinator.page", PageProperties.class)
                .with("cle.coordinator.leader-services")
                .with("cle.kubernetes", CleProperties.Kubernetes.class)
                .with("cle.api");
    }

    /**
     * Puts the slashes back into the keys of {@link #strategies}. Spring Boot keeps them only in keys that are written in brackets, and drops them
     * from {@code cle.coordinator.strategies.shop/orders} without a word.
     *
     * @param environment where these were bound from
     */
    public CoordinatorProperties withSlashes(ConfigurableEnvironment environment) {
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
        return new CoordinatorProperties(
                namespaces,
                crossNamespace,
                restored,
                ackTimeout,
                leaseDuration,
                api,
                preemption,
                limits,
                replica,
                probes);
    }

    /**
     * When a better candidate ends a term.
     *
     * @param stabilization for how long a candidate must have been there before it ends a leader's term; zero for at once
     */
    public record Preemption(@DefaultValue("0s") Duration stabilization) {}

    /**
     * How large and how many the objects of a namespace may be, so that they don't take the memory that other namespaces need.
     *
     * @param objectSize how large a candidate, a Lease or a LeaseConfiguration may be, with its annotations and managed fields; a larger one
     *     is passed over
     * @param candidatesPerNamespace how many candidates of a namespace count: those of holders, and the oldest ones
     */
    public record Limits(
            @DefaultValue("64KB") DataSize objectSize,
            @DefaultValue("20000") int candidatesPerNamespace) {}

    /**
     * The election among the coordinator's replicas.
     *
     * @param lease the name of the lease that they race for
     * @param namespace its namespace; the pod's, else the context's, else {@code default}, where it isn't set
     * @param identity under what name to hold it; the host name and five random characters where it isn't set
     */
    public record Replica(
            @DefaultValue("coordinated-election-controller") String lease,
            @Nullable String namespace,
            @Nullable String identity) {}

    /**
     * The port for probes and metrics.
     *
     * @param port the TCP port, on all interfaces; 0 for any free one; {@code null} for no such port
     */
    public record Probes(@Nullable Integer port) {}
}
