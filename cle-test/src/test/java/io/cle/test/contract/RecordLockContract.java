package io.cle.test.contract;

import java.util.function.Supplier;

import com.google.gson.JsonObject;
import io.cle.ResourceLock;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.WatchEvent;
import org.junit.jupiter.api.Test;

import static io.cle.test.contract.ApiUnderTest.await;
import static io.cle.test.contract.ApiUnderTest.ok;
import static org.assertj.core.api.Assertions.assertThat;

/** The contract of direct locks in an annotation; the annotated objects may exist for another purpose. */
abstract class RecordLockContract extends LeaseApiContract {

    private static final String RECORD = "control-plane.alpha.kubernetes.io/leader";

    RecordLockContract(Supplier<ApiUnderTest> server, ResourceLock lock) {
        super(server, lock);
    }

    private static JsonObject annotated(String value) {
        JsonObject annotations = new JsonObject();
        annotations.addProperty(RECORD, value);
        JsonObject metadata = new JsonObject();
        metadata.add("annotations", annotations);
        JsonObject object = new JsonObject();
        object.add("metadata", metadata);
        return object;
    }

    @Test
    void anObjectWithoutARecordIsNoLeaseAndCanBecomeOne() {
        api().create(resource(), key(), json("{'metadata': {'labels': {'team': 'blue'}}}"));
        EventRecorder<Lease> events = new EventRecorder<>();
        try (Subscription watch = store().watch(key(), events)) {
            assertThat(watch).isNotNull();
            assertThat(events.nextSnapshot().objects()).isEmpty();
            assertThat(ok(store().read(key()))).isEmpty();

            Lease created = ok(store().create(lease()));

            assertThat(events.nextChanged()).isEqualTo(created);
            JsonObject metadata = api().stored(resource(), key()).getAsJsonObject("metadata");
            assertThat(metadata.getAsJsonObject("labels").get("team").getAsString())
                    .isEqualTo("blue");
            assertThat(await(store().create(lease()))).isInstanceOf(ApiResult.Conflict.class);
        }
    }

    @Test
    void aRecordThatIsTakenOffItsObjectIsALeaseThatIsRemoved() {
        ok(store().create(lease()));
        EventRecorder<Lease> events = new EventRecorder<>();
        try (Subscription watch = store().watch(key(), events)) {
            assertThat(watch).isNotNull();
            events.nextSnapshot();

            api().merge(resource(), key(), json("{'metadata': {'annotations': {'" + RECORD + "': null}}}"));

            assertThat(events.next()).isInstanceOf(WatchEvent.Removed.class);
            assertThat(ok(store().read(key()))).isEmpty();
        }
    }

    @Test
    void theRecordIsClientGosByteForByte() {
        ok(store().create(lease().toBuilder().holderKey(null).build()));

        assertThat(annotations().get(RECORD).getAsString())
                .isEqualTo("{\"holderIdentity\":\"orders-a\",\"leaseDurationSeconds\":20,"
                        + "\"acquireTime\":\"2026-01-01T00:00:00Z\",\"renewTime\":\"2026-01-01T00:00:03Z\","
                        + "\"leaderTransitions\":2}");
    }

    @Test
    void theHoldersKeyIsInTheRecord() {
        ok(store().create(lease()));

        assertThat(annotations().get(RECORD).getAsString())
                .startsWith("{\"holderIdentity\":\"orders-a\",\"holderKey\":\"8\",\"leaseDurationSeconds\":20,");
        assertThat(annotations().has("coordination.cle.io/holder-key")).isFalse();
    }

    private JsonObject annotations() {
        return api().stored(resource(), key()).getAsJsonObject("metadata").getAsJsonObject("annotations");
    }

    @Test
    void aMalformedRecordIsReportedAndEndsNoTerm() {
        api().create(resource(), key(), annotated("{half"));
        EventRecorder<Lease> events = new EventRecorder<>();
        try (Subscription watch = store().watch(key(), events)) {
            assertThat(watch).isNotNull();
            assertThat(events.nextSnapshot().objects()).isEmpty();
            assertThat(events.next()).isInstanceOf(WatchEvent.Malformed.class);
            ApiResult<?> read = await(store().read(key()));
            assertThat(read).isInstanceOf(ApiResult.Refused.class);
            assertThat(read.describe()).contains(RECORD);

            api().merge(resource(), key(), annotated("{\"holderIdentity\":\"x\",\"leaseDurationSeconds\":15}"));

            assertThat(events.nextChanged().holder()).isEqualTo("x");
        }
    }
}
