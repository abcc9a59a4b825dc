package io.cle.kubernetes;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;

import io.cle.api.ApiResult;
import io.cle.api.LeaseStore;
import io.cle.api.Subscription;
import io.cle.kubernetes.ApiRequest.Verb;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import io.cle.model.TermMark;
import io.cle.runtime.VirtualLoop;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What happens to one of two records while the other is written. */
class MultiLeaseStoreTest {

    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final VirtualLoop loop = new VirtualLoop();
    private final Meddling transport = new Meddling();
    private final LeaseStore store =
            new KubernetesApis(transport, loop, new SplittableRandom(1), TIMEOUT).leases(DirectLock.ENDPOINTSLEASES);

    /** Objects in memory, and somebody who does something just before the second record is written. */
    private static final class Meddling implements KubernetesTransport {
        private final MemoryTransport memory = new MemoryTransport();
        private final List<Verb> requests = new ArrayList<>();
        private Runnable beforeSecond = () -> {};

        @Override
        public CompletionStage<ApiResponse> send(ApiRequest request) {
            requests.add(request.verb());
            boolean writes = request.verb() == Verb.CREATE || request.verb() == Verb.PATCH;
            if (writes && request.resource().equals(ResourceType.LEASES)) {
                beforeSecond.run();
            }
            return memory.send(request);
        }

        @Override
        public Subscription watch(ApiRequest request, WatchStream stream) {
            return memory.watch(request, stream);
        }

        @Override
        public void close() {
            memory.close();
        }
    }

    private static Lease heldBy(String holder, int second) {
        Instant time = Instant.EPOCH.plusSeconds(second);
        return Lease.builder(ORDERS)
                .holder(holder)
                .leaseDuration(Duration.ofSeconds(15))
                .acquireTime(time)
                .renewTime(time)
                .term(TermMark.begun(holder, "n1", time, Duration.ofSeconds(15)))
                .build();
    }

    private ApiResult<Lease> result(CompletionStage<ApiResult<Lease>> written) {
        loop.runReady();
        return written.toCompletableFuture().join();
    }

    private void delete(ResourceType record) {
        transport.memory.send(new ApiRequest(Verb.DELETE, record, "shop", "orders", Map.of(), null, TIMEOUT));
    }

    @Test
    void aLeaseWhoseFirstRecordIsDeletedWhileTheSecondIsWrittenIsNotTaken() {
        transport.beforeSecond = () -> delete(ResourceType.ENDPOINTS);

        assertThat(result(store.create(heldBy("a", 1))))
                .isInstanceOfSatisfying(
                        ApiResult.OutcomeUnknown.class,
                        unknown -> assertThat(unknown.describe()).contains("the first record of the lock has changed"));
    }

    @Test
    void aLeaseWhoseSecondRecordIsDeletedBeforeItIsWrittenIsNotTakenAndTheFirstIsAsItWas() {
        Lease held = ((ApiResult.Ok<Lease>) result(store.create(heldBy("a", 1)))).value();
        transport.beforeSecond = () -> delete(ResourceType.LEASES);

        Lease taken = heldBy("b", 20).toBuilder()
                .resourceVersion(held.resourceVersion())
                .build();
        assertThat(result(store.write(taken))).isInstanceOf(ApiResult.Gone.class);

        ApiResult<Optional<Lease>> left = read();
        assertThat(((ApiResult.Ok<Optional<Lease>>) left).value())
                .hasValueSatisfying(lease -> assertThat(lease.holder()).isEqualTo("a"));
    }

    private ApiResult<Optional<Lease>> read() {
        CompletionStage<ApiResult<Optional<Lease>>> read = store.read(ORDERS);
        loop.runReady();
        return read.toCompletableFuture().join();
    }

    @Test
    void aLeaseWhoseRecordsBothStandIsTaken() {
        assertThat(result(store.create(heldBy("a", 1)))).isInstanceOf(ApiResult.Ok.class);
    }

    @Test
    void aRenewalAsksForNothingMore() {
        Lease taken = ((ApiResult.Ok<Lease>) result(store.create(heldBy("a", 1)))).value();
        transport.requests.clear();

        assertThat(result(store.write(taken.toBuilder()
                        .renewTime(Instant.EPOCH.plusSeconds(3))
                        .build())))
                .isInstanceOf(ApiResult.Ok.class);

        assertThat(transport.requests).containsExactly(Verb.PATCH, Verb.PATCH);
    }
}
