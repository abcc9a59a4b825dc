package io.cle.test.contract;

import io.cle.api.ApiFormat;
import io.cle.api.LeaseStore;
import io.cle.kubernetes.internal.store.KubernetesApis;
import io.cle.kubernetes.internal.transport.ResourceType;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contracts of the stores that only an API server with the native format can serve. */
@ExtendWith(PathInFailures.class)
public abstract class NativeStoreContracts {

    /** A new connection to a server with the namespace {@code default} and {@code coordination.k8s.io/v1beta1}. */
    protected abstract ApiUnderTest server();

    /** The native format's candidates. */
    @Nested
    protected class NativeCandidates extends CandidateStoreContract {
        @Override
        protected ApiUnderTest server() {
            return NativeStoreContracts.this.server();
        }

        @Override
        protected ApiFormat format() {
            return ApiFormat.NATIVE;
        }
    }

    /** The native format's leases. */
    @Nested
    protected class NativeLeases extends LeaseStoreContract {
        @Override
        protected ApiUnderTest server() {
            return NativeStoreContracts.this.server();
        }

        @Override
        protected LeaseStore store(KubernetesApis apis) {
            return apis.leases(ApiFormat.NATIVE);
        }

        @Override
        protected ResourceType resource() {
            return ResourceType.LEASES;
        }
    }

    /** What a coordinator needs, in the native format. */
    @Nested
    protected class NativeCoordinator extends CoordinatorApiContract {
        @Override
        protected ApiUnderTest server() {
            return NativeStoreContracts.this.server();
        }

        @Override
        protected ApiFormat format() {
            return ApiFormat.NATIVE;
        }
    }
}
