package io.cle.test.apiserver.contract;

import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.BeforeEach;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an API server does for leader election, as far as this project and its users rely on it. A subclass names a server
 * and inherits the tests; each test has a fresh namespace of that server, which other tests use at the same time.
 *
 * <p>What only servers with, or without, native coordinated leader election do is in {@link NativeContract} and
 * {@link WithoutNativeContract}, of which the subclass implements one.
 */
public abstract class ApiServerContract
        implements ObjectContract,
                PatchContract,
                DeletionContract,
                ListContract,
                WatchContract,
                FieldContract,
                OtherKindsContract {

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
}
