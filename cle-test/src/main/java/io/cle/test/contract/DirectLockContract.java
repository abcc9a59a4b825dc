package io.cle.test.contract;

import io.cle.api.LeaseStore;
import io.cle.kubernetes.internal.store.DirectLock;
import io.cle.kubernetes.internal.store.KubernetesApis;
import io.cle.kubernetes.internal.transport.ResourceType;

/** The contract of leases for direct locks. */
public abstract class DirectLockContract extends LeaseStoreContract {

    private final DirectLock lock;

    /** For one kind of lock. */
    protected DirectLockContract(DirectLock lock) {
        this.lock = lock;
    }

    @Override
    protected LeaseStore store(KubernetesApis apis) {
        return apis.leases(lock);
    }

    @Override
    protected ResourceType resource() {
        return lock.resource();
    }
}
