package io.cle.coordinator.settings;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import io.cle.coordinator.actuate.ProbesProperties;
import io.cle.properties.internal.KnownProperties;
import io.cle.spring.properties.ApiSelection;
import io.cle.spring.properties.internal.CleProperties;
import io.cle.web.PageExposureProperties;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
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
        @DefaultValue Replica replica) {

    /** All properties of the coordinator, these and those of its page, its probes and its cluster. */
    public static KnownProperties known() {
        return new KnownProperties()
                .with("cle.coordinator", CoordinatorProperties.class)
                .with("cle.coordinator.page", PageExposureProperties.class)
                .with("cle.coordinator.probes", ProbesProperties.class)
                .with("cle.coordinator.leader-services")
                .with("cle.kubernetes", CleProperties.Kubernetes.class)
                .with("cle.api");
    }

    /** The same with other strategies of leases. */
    public CoordinatorProperties withStrategies(Map<String, String> others) {
        return new CoordinatorProperties(
                namespaces, crossNamespace, others, ackTimeout, leaseDuration, api, preemption, limits, replica);
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
}
