package io.cle.test.contract;

import io.cle.ApiFormat;
import io.cle.ResourceLock;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contracts of the stores that any API server with our CRDs can serve. */
@ExtendWith(PathInFailures.class)
public abstract class StoreContracts {

    /** Returns a new connection to a server with the namespace {@code default} and our CRDs. */
    protected abstract ApiUnderTest server();

    /** The crd format's candidates. */
    @Nested
    class CrdCandidates extends CandidateClientContract {

        CrdCandidates() {
            super(StoreContracts.this::server, ApiFormat.CRD);
        }
    }

    /** The crd format's leases. */
    @Nested
    class CrdLeases extends LeaseApiContract {

        CrdLeases() {
            super(StoreContracts.this::server, ApiFormat.CRD);
        }
    }

    /** Direct locks in Leases. */
    @Nested
    class Leases extends LeaseApiContract {

        Leases() {
            super(StoreContracts.this::server, ResourceLock.LEASES);
        }
    }

    /** Direct locks in Endpoints. */
    @Nested
    class Endpoints extends RecordLockContract {

        Endpoints() {
            super(StoreContracts.this::server, ResourceLock.ENDPOINTS);
        }
    }

    /** Direct locks in ConfigMaps. */
    @Nested
    class ConfigMaps extends RecordLockContract {

        ConfigMaps() {
            super(StoreContracts.this::server, ResourceLock.CONFIGMAPS);
        }
    }

    /** A coordinator's API, in the crd format. */
    @Nested
    class CrdCoordinator extends CoordinatorClientContract {

        CrdCoordinator() {
            super(StoreContracts.this::server, ApiFormat.CRD);
        }
    }
}
