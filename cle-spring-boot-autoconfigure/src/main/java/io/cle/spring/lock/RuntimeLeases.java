package io.cle.spring.lock;

import java.util.concurrent.CompletionStage;

import io.cle.CoordinatedLeaseLock;

/**
 * Creates and drops leases while the application runs, for instance one for each tenant. Such a lease has the log, events, endpoint,
 * health, meters and work of a lease under {@code cle.leases}, and ends with the application context like the others. {@code @OnLeader}
 * can't name it, because leases that are named are checked at startup; pass its work to {@link NewLease#work}. Thread-safe.
 *
 * <pre>{@code
 * leases.create(NewLease.named("tenant-7")
 *         .property("namespace", "tenants")
 *         .work("import", term -> importOrders(tenant, term.fencingToken())));
 * ...
 * leases.drop("tenant-7");
 * }</pre>
 */
public interface RuntimeLeases {

    /**
     * Creates a lease, for which this process is a candidate at once; if the application isn't ready yet, as soon as it is.
     *
     * @return its lock
     * @throws io.cle.InvalidConfigurationException if a property can't be used, or there is such a lease already
     * @throws IllegalStateException before the application context is refreshed, and after it is closed
     */
    CoordinatedLeaseLock create(NewLease lease);

    /**
     * Withdraws from a lease that was created at run time: a running term is drained and handed over. The lease and its meters are removed
     * once that is done; until then it is shown as draining.
     *
     * @param name the name of the lease in this application
     * @return completes when the lease is removed
     * @throws IllegalArgumentException if no lease of that name was created at run time
     */
    CompletionStage<Void> drop(String name);
}
