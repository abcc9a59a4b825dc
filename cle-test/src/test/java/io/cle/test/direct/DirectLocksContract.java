package io.cle.test.direct;

import org.junit.jupiter.api.Nested;

/** The contracts of direct locks, on any API server with the namespace {@code default}. */
abstract class DirectLocksContract {

    abstract Server server();

    @Nested
    class BesideClientJavasElector extends ClientJavaElectorContract {
        @Override
        Server server() {
            return DirectLocksContract.this.server();
        }
    }

    @Nested
    class ByKey extends PrioritizedElectionContract {
        @Override
        Server server() {
            return DirectLocksContract.this.server();
        }
    }

    @Nested
    class FromOneKindToAnother extends LockRolloutContract {
        @Override
        Server server() {
            return DirectLocksContract.this.server();
        }
    }
}
