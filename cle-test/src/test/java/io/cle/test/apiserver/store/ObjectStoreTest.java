package io.cle.test.apiserver.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.status.ApiFailure;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
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
        store.delete(LEASES, requireNonNull(store.get(LEASES, "shop", "a")));

        assertThat(store.resourceVersion()).isEqualTo(ObjectStore.FIRST_RESOURCE_VERSION + 3);
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

    @Nested
    class Update {

        @Test
        void theUpdateIsUnconditionalWithoutAVersion() {
            store.create(LEASES, object("a", 1));

            assertThat(update(object("a", 2)).get("value").getAsInt()).isEqualTo(2);
        }

        @Test
        void theUpdateIsRefusedIfTheObjectHasChanged() {
            JsonObject stale = store.create(LEASES, object("a", 1)).deepCopy();
            update(object("a", 2));

            assertThatExceptionOfType(ApiFailure.class)
                    .isThrownBy(() -> update(stale))
                    .matches(failure -> failure.code() == 409);
        }
    }

    @Nested
    class Watch {

        @Test
        void theWatchIsCalledInsideTheWriteAndInOrder() {
            List<String> seen = new ArrayList<>();
            store.watch(
                    LEASES,
                    "shop",
                    null,
                    ObjectStoreTest::any,
                    event -> seen.add(event.type() + " " + version(event.object())));

            store.create(LEASES, object("a", 1));
            assertThat(seen).containsExactly("ADDED 1001");
            update(object("a", 1));
            assertThat(seen).hasSize(1);
            update(object("a", 2));
            store.delete(LEASES, requireNonNull(store.get(LEASES, "shop", "a")));
            assertThat(seen).containsExactly("ADDED 1001", "MODIFIED 1002", "DELETED 1003");
        }

        @Test
        void theWatchIsCalledForItsNamespaceAndKindOnlyAndNotAfterItsEnd() {
            List<ObjectChange> seen = new ArrayList<>();
            OpenWatch watch = store.watch(LEASES, "shop", null, ObjectStoreTest::any, seen::add);
            store.create(LEASES, json("{\"metadata\": {\"namespace\": \"elsewhere\", \"name\": \"a\"}}"));
            store.create(PODS, object("a", 1));
            assertThat(seen).isEmpty();

            store.create(LEASES, object("a", 1));
            assertThat(seen).hasSize(1);

            watch.close();
            update(object("a", 2));
            assertThat(seen).hasSize(1);
        }

        @Test
        void theWatchGoesOnFromAKnownVersion() {
            store.create(LEASES, object("a", 1));
            long known = store.resourceVersion();
            store.create(LEASES, object("b", 1));
            List<String> seen = new ArrayList<>();

            store.watch(LEASES, null, known, ObjectStoreTest::any, event -> seen.add(Metadata.name(event.object())));
            store.create(LEASES, object("c", 1));

            assertThat(seen).containsExactly("b", "c");
        }

        @Test
        void theWatchIsRefusedFromAVersionThatIsCompacted() {
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
        void theWatchIsRefusedFromAVersionThatIsTooOld() {
            store.create(LEASES, object("a", 0));
            long first = store.resourceVersion();
            for (int i = 1; i <= 10_001; i++) {
                update(object("a", i));
            }

            assertThatExceptionOfType(ApiFailure.class)
                    .isThrownBy(() -> store.watch(LEASES, null, first, ObjectStoreTest::any, event -> {}))
                    .matches(failure -> failure.code() == 410);
            assertThat(store.list(LEASES, null, ObjectStoreTest::any).items()).hasSize(1);
        }
    }

    private JsonObject update(JsonObject object) {
        return store.update(LEASES, object, store.present(LEASES, object));
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
