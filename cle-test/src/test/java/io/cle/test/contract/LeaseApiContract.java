package io.cle.test.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.ApiFormat;
import io.cle.ResourceLock;
import io.cle.kubernetes.internal.client.LeaseClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.ResourceVersions;
import io.cle.model.internal.TermAnnotation;
import io.cle.store.internal.LeaseApi;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.WatchEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.cle.test.contract.ApiUnderTest.await;
import static io.cle.test.contract.ApiUnderTest.ok;
import static org.assertj.core.api.Assertions.assertThat;

/** The contract of lease stores, in any wire format. */
@Timeout(120)
abstract class LeaseApiContract {

    private static final Instant ACQUIRED = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant RENEWED = Instant.parse("2026-01-01T00:00:03Z");
    private static final int RACES = 20;

    private final Supplier<ApiUnderTest> server;
    private final ResourceType resource;
    private final Function<ObjectClient, LeaseApi> stores;
    private ApiUnderTest api;
    private LeaseApi store;
    private ObjectKey key;

    /** Tests the leases of a wire format. */
    LeaseApiContract(Supplier<ApiUnderTest> server, ApiFormat format) {
        this(server, ResourceType.LEASES, client -> LeaseClient.of(client, format, null));
    }

    /** Tests direct locks of one kind. */
    LeaseApiContract(Supplier<ApiUnderTest> server, ResourceLock lock) {
        this(server, ResourceType.of(lock), client -> LeaseClient.of(client, lock, null));
    }

    private LeaseApiContract(
            Supplier<ApiUnderTest> server, ResourceType resource, Function<ObjectClient, LeaseApi> stores) {
        this.server = server;
        this.resource = resource;
        this.stores = stores;
    }

    @BeforeEach
    final void openStore() {
        api = server.get();
        store = stores.apply(api.client());
        key = api.newKey("orders");
    }

    @AfterEach
    final void closeServer() {
        api.close();
    }

    /** Returns the kind of object in which the store keeps its leases. */
    final ResourceType resource() {
        return resource;
    }

    final ApiUnderTest api() {
        return api;
    }

    final LeaseApi store() {
        return store;
    }

    /** Returns the key of this test's lease. */
    final ObjectKey key() {
        return key;
    }

    /** Returns a lease with all fields set. */
    final Lease lease() {
        return Lease.builder(key)
                .holder("orders-a")
                .leaseDuration(Duration.ofSeconds(20))
                .acquireTime(ACQUIRED)
                .renewTime(RENEWED)
                .transitions(2)
                .strategy("HighestPriority")
                .recordedStrategy("HighestPriority")
                .electedBy("coordinated-election-controller")
                .endOfTerm("orders-b", "9")
                .holderKey("8")
                .term(TermAnnotation.begun(
                        "nonce-1",
                        "w1",
                        Duration.ofSeconds(20),
                        "orders-a",
                        ACQUIRED,
                        new TermAnnotation.Ended("nonce-0.w0", "7")))
                .managed(true)
                .build();
    }

    static JsonObject json(String text) {
        return JsonParser.parseString(text.replace('\'', '"')).getAsJsonObject();
    }

    @Test
    void whereNoLeaseIsNoneIsRead() {
        assertThat(ok(store.read(key))).isEmpty();
    }

    @Nested
    class Creation {

        @Test
        void theCreationIsReadAsItWasWritten() {
            Lease created = ok(store.create(lease()));

            assertThat(created.resourceVersion()).isNotNull();
            assertThat(asNeverStored(created)).isEqualTo(lease());
            assertThat(ok(store.read(key))).contains(created);
        }

        @Test
        void theCreationIsReadAsItWasWrittenWithoutAnyField() {
            Lease least = Lease.builder(key).build();

            ok(store.create(least));

            assertThat(asNeverStored(ok(store.read(key)).orElseThrow())).isEqualTo(least);
        }

        @Test
        void theCreationKeepsAnyTextAsTheHolder() {
            Lease lease = lease().toBuilder()
                    .holder("host \"1\" <a&b>\\ \u00fc\u4e16\ud83d\ude00")
                    .term(null)
                    .build();

            ok(store.create(lease));

            assertThat(ok(store.read(key)).orElseThrow().holder()).isEqualTo(lease.holder());
        }

        @Test
        void theCreationConflictsIfTheLeaseIsThere() {
            Lease first = ok(store.create(lease()));

            assertThat(await(store.create(lease().toBuilder().holder("orders-c").build())))
                    .isInstanceOf(ApiResult.Conflict.class);
            assertThat(ok(store.read(key))).contains(first);
        }

        @Test
        void theCreationIsRefusedInAMissingNamespaceThatTheMessageNames() {
            Lease lease = Lease.builder(new ObjectKey("no-such-namespace", key.name()))
                    .build();

            ApiResult<Lease> result = await(store.create(lease));

            assertThat(result).isInstanceOf(ApiResult.Gone.class);
            assertThat(result.describe()).contains("namespace").contains("no-such-namespace");
        }
    }

    @Nested
    class Write {

        @Test
        void theWriteReplacesEverythingAndRaisesTheVersion() {
            Lease created = ok(store.create(lease()));
            Lease change = Lease.builder(key)
                    .resourceVersion(created.resourceVersion())
                    .holder("orders-b")
                    .leaseDuration(Duration.ofSeconds(7))
                    .renewTime(RENEWED.plusSeconds(1))
                    .transitions(3)
                    .managed(true)
                    .build();

            Lease written = ok(store.write(change));

            assertThat(ResourceVersions.older(created.resourceVersion(), written.resourceVersion()))
                    .isTrue();
            assertThat(asNeverStored(written)).isEqualTo(asNeverStored(change));
            assertThat(ok(store.read(key))).contains(written);
        }

        @Test
        void theWriteTakesTheHolderAway() {
            Lease created = ok(store.create(lease()));

            Lease released =
                    ok(store.write(created.toBuilder().holder(null).term(null).build()));

            assertThat(released.held()).isFalse();
            assertThat(ok(store.read(key)).orElseThrow().held()).isFalse();
        }

        @Test
        void theWriteKeepsTheFieldsThatOthersHaveWritten() {
            Lease created = ok(store.create(lease()));
            api.merge(
                    resource(),
                    key,
                    json("{'metadata': {'labels': {'team': 'blue'}, 'annotations': {'example.com/note': 'keep me'}}}"));
            Lease current = ok(store.read(key)).orElseThrow();

            ok(store.write(current.toBuilder()
                    .noEndOfTerm()
                    .strategy(null)
                    .managed(false)
                    .build()));

            JsonObject metadata = api.stored(resource, key).getAsJsonObject("metadata");
            assertThat(metadata.getAsJsonObject("labels"))
                    .isEqualTo(json("{'team': 'blue', 'app.kubernetes.io/managed-by': 'coordinated-leader-election'}"));
            assertThat(metadata.getAsJsonObject("annotations")
                            .get("example.com/note")
                            .getAsString())
                    .isEqualTo("keep me");
            assertThat(created.holder())
                    .isEqualTo(ok(store.read(key)).orElseThrow().holder());
        }

        @Test
        void theWriteConflictsOnAnOldVersionAndWritesNothing() {
            Lease created = ok(store.create(lease()));
            Lease written = ok(store.write(created.toBuilder().transitions(3).build()));

            ApiResult<Lease> result =
                    await(store.write(created.toBuilder().holder("orders-c").build()));

            assertThat(result).isInstanceOf(ApiResult.Conflict.class);
            assertThat(ok(store.read(key))).contains(written);
        }

        @Test
        void theWriteConflictsAfterTheChangeOfAnother() {
            Lease created = ok(store.create(lease()));
            api.merge(resource, key, json("{'metadata': {'labels': {'by': 'another'}}}"));

            assertThat(await(store.write(created.toBuilder().transitions(3).build())))
                    .isInstanceOf(ApiResult.Conflict.class);
        }

        @Test
        void theWriteFindsALeaseGoneThatWasDeleted() {
            Lease created = ok(store.create(lease()));
            api.delete(resource, key);

            assertThat(await(store.write(created))).isInstanceOf(ApiResult.Gone.class);
        }

        @Test
        void theWriteSucceedsForExactlyOneOfTheWritersOfAVersion() {
            Lease current = ok(store.create(lease()));
            for (int race = 0; race < RACES; race++) {
                List<CompletionStage<ApiResult<Lease>>> writes = new ArrayList<>();
                for (int writer = 0; writer < 4; writer++) {
                    writes.add(store.write(current.toBuilder()
                            .holder("orders-" + writer)
                            .transitions(race)
                            .build()));
                }
                List<ApiResult<Lease>> results =
                        writes.stream().map(ApiUnderTest::await).toList();
                assertThat(results)
                        .filteredOn(ApiResult.Conflict.class::isInstance)
                        .hasSize(3);
                assertThat(results).filteredOn(ApiResult.Ok.class::isInstance).hasSize(1);
                Lease stored = ok(store.read(key)).orElseThrow();
                assertThat(results).contains(new ApiResult.Ok<>(stored));
                current = stored;
            }
        }
    }

    @Nested
    class Watch {

        @Test
        void theWatchBeginsWithWhatIsThereAndSeesChangesInTheirOrder() {
            Lease first = ok(store.create(lease()));
            EventRecorder<Lease> events = new EventRecorder<>();
            try (Subscription watch = store.watch(key, events)) {
                assertThat(watch).isNotNull();
                assertThat(events.nextSnapshot().objects()).containsExactly(first);
                Lease current = first;
                for (int i = 0; i < 5; i++) {
                    current = ok(
                            store.write(current.toBuilder().transitions(10 + i).build()));
                }
                Lease seen = events.nextChanged();
                while (!seen.equals(current)) {
                    Lease next = events.nextChanged();
                    assertThat(ResourceVersions.older(next.resourceVersion(), seen.resourceVersion()))
                            .isFalse();
                    seen = next;
                }
            }
        }

        @Test
        void theWatchSeesTheCreationAndTheEndOfALeaseThatIsNotThereYet() {
            EventRecorder<Lease> events = new EventRecorder<>();
            try (Subscription watch = store.watch(key, events)) {
                assertThat(watch).isNotNull();
                assertThat(events.nextSnapshot().objects()).isEmpty();
                Lease created = ok(store.create(lease()));
                Lease seen = events.nextChanged();
                while (!seen.equals(created)) {
                    seen = events.nextChanged();
                }
                end();
                WatchEvent<Lease> last = events.next();
                while (!(last instanceof WatchEvent.Removed)) {
                    last = events.next();
                }
                assertThat(((WatchEvent.Removed<Lease>) last).key()).isEqualTo(key);
            }
        }

        @Test
        void theWatchSeesNothingOfAnotherLease() {
            EventRecorder<Lease> events = new EventRecorder<>();
            try (Subscription watch = store.watch(key, events)) {
                assertThat(watch).isNotNull();
                events.nextSnapshot();
                Lease other = lease();
                ok(store.create(Lease.builder(api.newKey("other")).holder("x").build()));
                ok(store.create(other));

                assertThat(events.nextChanged().key()).isEqualTo(key);
            }
        }
    }

    private static Lease asNeverStored(Lease lease) {
        return lease.toBuilder().resourceVersion(null).uid(null).build();
    }

    /** Deletes the object that holds the lease. */
    private void end() {
        api.delete(resource, key);
    }
}
