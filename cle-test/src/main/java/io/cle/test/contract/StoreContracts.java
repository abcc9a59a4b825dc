package io.cle.test.contract;

import io.cle.api.ApiFormat;
import io.cle.api.LeaseStore;
import io.cle.kubernetes.internal.store.DirectLock;
import io.cle.kubernetes.internal.store.KubernetesApis;
import io.cle.kubernetes.internal.transport.ResourceType;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contracts of all stores that any API server with our CRDs can serve. */
@ExtendWith(PathInFailures.class)
public abstract class StoreContracts {

    /** A new connection to a server with the namespace {@code default} and our CRDs. */
    protected abstract ApiUnderTest server();

    /** The crd format's candidates. */
    @Nested
    protected class CrdCandidates extends CandidateStoreContract {
        @Override
        protected ApiUnderTest server() {
            return StoreContracts.this.server();
        }

        @Override
        protected ApiFormat format() {
            return ApiFormat.CRD;
        }
    }

    /** The crd format's leases. */
    @Nested
    protected class CrdLeases extends LeaseStoreContract {
        @Override
        protected ApiUnderTest server() {
            return StoreContracts.this.server();
        }

        @Override
        protected LeaseStore store(KubernetesApis apis) {
            return apis.leases(ApiFormat.CRD);
        }

        @Override
        protected ResourceType resource() {
            return ResourceType.LEASES;
        }
    }

    /** Direct locks in Leases. */
    @Nested
    protected class Leases extends DirectLockContract {
        /** For JUnit. */
        protected Leases() {
            super(DirectLock.LEASES);
        }

        @Override
        protected ApiUnderTest server() {
            return StoreContracts.this.server();
        }
    }

    /** Direct locks in Endpoints. */
    @Nested
    protected class Endpoints extends RecordLockContract {
        /** For JUnit. */
        protected Endpoints() {
            super(DirectLock.ENDPOINTS);
        }

        @Override
        protected ApiUnderTest server() {
            return StoreContracts.this.server();
        }
    }

    /** Direct locks in ConfigMaps. */
    @Nested
    protected class ConfigMaps extends RecordLockContract {
        /** For JUnit. */
        protected ConfigMaps() {
            super(DirectLock.CONFIGMAPS);
        }

        @Override
        protected ApiUnderTest server() {
            return StoreContracts.this.server();
        }
    }

    /** What a coordinator needs, in the crd format. */
    @Nested
    protected class CrdCoordinator extends CoordinatorApiContract {
        @Override
        protected ApiUnderTest server() {
            return StoreContracts.this.server();
        }

        @Override
        protected ApiFormat format() {
            return ApiFormat.CRD;
        }
    }
}
