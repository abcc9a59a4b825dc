package io.cle.test.contract;

import io.cle.ApiFormat;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contracts of the stores that need an API server with the native format. */
@ExtendWith(PathInFailures.class)
public abstract class NativeStoreContracts {

    /** Returns a new connection to a server with the namespace {@code default} and {@code coordination.k8s.io/v1beta1}. */
    protected abstract ApiUnderTest server();

    /** The native format's candidates. */
    @Nested
    class NativeCandidates extends CandidateClientContract {

        NativeCandidates() {
            super(NativeStoreContracts.this::server, ApiFormat.NATIVE);
        }
    }

    /** The native format's leases. */
    @Nested
    class NativeLeases extends LeaseApiContract {

        NativeLeases() {
            super(NativeStoreContracts.this::server, ApiFormat.NATIVE);
        }
    }

    /** A coordinator's API, in the native format. */
    @Nested
    class NativeCoordinator extends CoordinatorClientContract {

        NativeCoordinator() {
            super(NativeStoreContracts.this::server, ApiFormat.NATIVE);
        }
    }
}
