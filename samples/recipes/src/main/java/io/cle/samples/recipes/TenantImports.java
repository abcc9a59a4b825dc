package io.cle.samples.recipes;

import java.util.concurrent.CompletionStage;

import io.cle.spring.lock.NewLease;
import io.cle.spring.lock.RuntimeLeases;

/** Leases at run time: each tenant's orders are imported by one replica, on a lease of the tenant's own. */
public abstract class TenantImports {

    private final RuntimeLeases leases;

    /** Imports the orders of tenants that come and go. */
    protected TenantImports(RuntimeLeases leases) {
        this.leases = leases;
    }

    /** A tenant is there: this process becomes a candidate for its lease. */
    public void add(String tenant) {
        leases.create(NewLease.named(tenant)
                .property("namespace", "tenants") // the keys of cle.leases.<name>
                .work("import", term -> importOrders(tenant, term.fencingToken())));
    }

    /** A tenant is gone; completes when a running term is drained and handed over. */
    public CompletionStage<Void> remove(String tenant) {
        return leases.drop(tenant);
    }

    /** Imports until it is interrupted at the end of the term. */
    protected abstract void importOrders(String tenant, long fencingToken) throws InterruptedException;
}
