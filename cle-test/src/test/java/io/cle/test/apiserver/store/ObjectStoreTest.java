package io.cle.test.apiserver.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.status.ApiFailure;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ObjectStoreTest {

    private static final GroupResource LEASES = new GroupResource("coordination.k8s.io", "leases");
    private static final GroupResource PODS = new GroupResource("", "pods");

    private final AtomicInteger uids = new AtomicInteger();
    private final ObjectStore store =
            new ObjectStore(() -> Instant.parse("2026-01-01T00:00:00.9Z"), () -> "uid-" + uids.incrementAndGet());

    @Test
    void givesIdentityTimeAndVersionFromWhatItWasGiven() {
        JsonObject created = store.create(LEASES, object("a", 1));

        assertThat(created.get("metadata")).isEqualTo(json("""
                                {"namespace": "shop", "name": "a", "uid": "uid-1", "resourceVersion": "1001",
                                 "creationTimestamp": "2026-01-01T00:00:00Z"}
                                """));
    }

    @Test
    void countsOneVersionOverAllKinds() {
        store.create(LEASES, object("a", 1));
        store.create(PODS, object("a", 1));
        store.delete(LEASES, "Lease", "shop", "a", Preconditions.NONE);

        assertThat(store.resourceVersion()).isEqualTo(ObjectStore.FIRST_RESOURCE_VERSION + 3);
    }

    @Test
    void updatesWithoutAVersionUnconditionally() {
        store.create(LEASES, object("a", 1));

        assertThat(store.update(LEASES, object("a", 2)).get("value").getAsInt()).isEqualTo(2);
    }

    @Test
    void refusesAnUpdateOfWhatHasChanged() {
        JsonObject stale = store.create(LEASES, object("a", 1)).deepCopy();
        store.update(LEASES, object("a", 2));

        assertThatExceptionOfType(ApiFailure.class)
                .isThrownBy(() -> store.update(LEASES, stale))
                .matches(failure -> failure.code() == 409);
    }

    @Test
    void tellsWatchersInsideTheWriteAndInOrder() {
        List<String> told = new ArrayList<>();
        store.watch(
                LEASES,
                "shop",
                null,
                ObjectStoreTest::any,
                event -> told.add(event.type() + " " + version(event.object())));

        store.create(LEASES, object("a", 1));
        assertThat(told).containsExactly("ADDED 1001");
        store.update(LEASES, object("a", 1));
        assertThat(told).hasSize(1);
        store.update(LEASES, object("a", 2));
        store.delete(LEASES, "Lease", "shop", "a", Preconditions.NONE);
        assertThat(told).containsExactly("ADDED 1001", "MODIFIED 1002", "DELETED 1003");
    }

    @Test
    void tellsNothingOfOtherNamespacesAndKindsNorAfterTheEnd() {
        List<WatchEvent> told = new ArrayList<>();
        Subscription watch = store.watch(LEASES, "elsewhere", null, ObjectStoreTest::any, told::add);
        store.create(LEASES, object("a", 1));
        store.create(PODS, object("a", 1));
        watch.close();

        assertThat(told).isEmpty();
    }

    @Test
    void goesOnFromAKnownVersion() {
        store.create(LEASES, object("a", 1));
        long seen = store.resourceVersion();
        store.create(LEASES, object("b", 1));
        List<String> told = new ArrayList<>();

        store.watch(LEASES, null, seen, ObjectStoreTest::any, event -> told.add(Metadata.name(event.object())));
        store.create(LEASES, object("c", 1));

        assertThat(told).containsExactly("b", "c");
    }

    @Test
    void refusesToGoOnFromWhatIsCompacted() {
        store.create(LEASES, object("a", 1));
        long before = store.resourceVersion();
        store.compact();

        for (GroupResource type : List.of(LEASES, PODS)) {
            assertThatExceptionOfType(ApiFailure.class)
                    .isThrownBy(() -> store.watch(type, null, before, ObjectStoreTest::any, event -> {}))
                    .matches(failure -> failure.code() == 410);
        }
        store.watch(LEASES, null, store.resourceVersion(), ObjectStoreTest::any, event -> {})
                .close();
    }

    @Test
    void forgetsOldHistoryByItself() {
        store.create(LEASES, object("a", 0));
        long first = store.resourceVersion();
        for (int i = 1; i <= 10_001; i++) {
            store.update(LEASES, object("a", i));
        }

        assertThatExceptionOfType(ApiFailure.class)
                .isThrownBy(() -> store.watch(LEASES, null, first, ObjectStoreTest::any, event -> {}))
                .matches(failure -> failure.code() == 410);
        assertThat(store.list(LEASES, null, ObjectStoreTest::any).items()).hasSize(1);
    }

    @Test
    void listsInOrderOfNamespaceAndName() {
        store.create(LEASES, object("b", 1));
        store.create(LEASES, object("a", 1));
        store.create(LEASES, json("{\"metadata\": {\"namespace\": \"shop-2\", \"name\": \"a\"}}"));

        assertThat(store.list(LEASES, "shop", ObjectStoreTest::any).items())
                .extracting(Metadata::name)
                .containsExactly("a", "b");
        assertThat(store.list(LEASES, null, ObjectStoreTest::any).items()).hasSize(3);
    }

    private static boolean any(JsonObject object) {
        return true;
    }

    private static String version(JsonObject object) {
        return String.valueOf(Metadata.resourceVersion(object));
    }

    private static JsonObject object(String name, int value) {
        return json(
                "{\"metadata\": {\"namespace\": \"shop\", \"name\": \"%s\"}, \"value\": %d}".formatted(name, value));
    }

    private static JsonObject json(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }
}
