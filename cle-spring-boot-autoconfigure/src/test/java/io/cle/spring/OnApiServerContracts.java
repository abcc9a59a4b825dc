package io.cle.spring;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.test.contract.PathInFailures;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** The contracts of complete applications on any API server with the namespace {@code default} and our CRDs. */
@ExtendWith(PathInFailures.class)
abstract class OnApiServerContracts {

    abstract KubernetesAccess access();

    @Nested
    class EveryLock extends EveryResourceLockContract {
        @Override
        KubernetesAccess access() {
            return OnApiServerContracts.this.access();
        }
    }

    @Nested
    class FailingWork extends FailingWorkContract {
        @Override
        KubernetesAccess access() {
            return OnApiServerContracts.this.access();
        }
    }

    @Nested
    class Successor extends SuccessorContract {
        @Override
        KubernetesAccess access() {
            return OnApiServerContracts.this.access();
        }
    }

    @Nested
    class Migration extends LeaderMigrationContract {
        @Override
        KubernetesAccess access() {
            return OnApiServerContracts.this.access();
        }
    }
}
