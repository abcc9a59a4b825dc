package io.cle.test.apiserver.contract;

import java.util.concurrent.atomic.AtomicInteger;

import io.cle.test.contract.PathInFailures;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The behaviour of an API server that this project and its users rely on for leader election. A subclass provides a
 * server and inherits the tests. Each test has a fresh namespace; other tests use the server at the same time.
 *
 * <p>{@link NativeContract} and {@link WithoutNativeContract} test servers with and without native coordinated leader
 * election; a subclass has one of them as a nested class.
 */
@ExtendWith(PathInFailures.class)
public abstract class ApiServerContract implements ContractSubject {

    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    private String namespace = "";

    @BeforeEach
    void createNamespace() {
        namespace = "contract-" + Long.toString(System.nanoTime(), 36) + "-" + NAMESPACES.incrementAndGet();
        String object = "{\"metadata\": {\"name\": \"" + namespace + "\"}}";
        assertThat(api().post("/api/v1/namespaces", json(object)).code()).isEqualTo(201);
    }

    @Override
    public final String namespace() {
        return namespace;
    }

    /** Creating, reading and replacing objects. */
    @Nested
    class Objects extends ObjectContract {

        Objects() {
            super(ApiServerContract.this);
        }
    }

    /** Changing objects by patches. */
    @Nested
    class Patches extends PatchContract {

        Patches() {
            super(ApiServerContract.this);
        }
    }

    /** Deleting objects. */
    @Nested
    class Deletions extends DeletionContract {

        Deletions() {
            super(ApiServerContract.this);
        }
    }

    /** Lists of objects. */
    @Nested
    class Lists extends ListContract {

        Lists() {
            super(ApiServerContract.this);
        }
    }

    /** Watches of objects. */
    @Nested
    class Watches extends WatchContract {

        Watches() {
            super(ApiServerContract.this);
        }
    }

    /** The fields of our objects. */
    @Nested
    class Fields extends FieldContract {

        Fields() {
            super(ApiServerContract.this);
        }
    }

    /** Other kinds that leader election uses. */
    @Nested
    class OtherKinds extends OtherKindsContract {

        OtherKinds() {
            super(ApiServerContract.this);
        }
    }
}
