package io.cle.coordinator.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import com.google.gson.JsonParser;
import io.cle.api.ApiFormat;
import io.cle.api.WatchEvent;
import io.cle.kubernetes.ApiResponse;
import io.cle.kubernetes.KubernetesTransport.WatchEnd;
import io.cle.kubernetes.WatchedKind;
import io.cle.model.Lease;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.util.CallGeneratorParams;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.Watchable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ObservationSourceTest {

    private static final String LEASES = "/apis/coordination.k8s.io/v1/leases";
    private static final String CONFIGURATIONS = "/apis/coordination.cle.io/v1alpha1/leaseconfigurations";
    private static final CallGeneratorParams ANY = new CallGeneratorParams(false, "0", null);

    private final ScriptedTransport transport = new ScriptedTransport();
    private final List<String> told = new ArrayList<>();
    private final SourceListener listener = new SourceListener() {
        @Override
        public void answered() {
            told.add("answered");
        }

        @Override
        public void absent(String message) {
            told.add("absent: " + message);
        }

        @Override
        public void synced() {
            told.add("synced");
        }

        @Override
        public void watching() {
            told.add("watching");
        }

        @Override
        public void interrupted(String message, Duration retryIn) {
            told.add("interrupted: " + message);
        }
    };

    @Test
    void leasesAreAskedForByLabelAndWatchedWithBookmarksFromTheVersionOfTheList() throws ApiException {
        ObservationSource<Lease, ObservedLease> source = leases();
        transport.list(LEASES, 200, list("7"));
        source.list(ANY);
        source.watch(ANY);

        assertThat(transport.requests.get(0).query())
                .containsEntry("labelSelector", "coordination.cle.io/managed=true");
        assertThat(transport.requests.get(1).query())
                .containsEntry("labelSelector", "coordination.cle.io/managed=true")
                .containsEntry("allowWatchBookmarks", "true")
                .containsEntry("resourceVersion", "7");
    }

    @Test
    void whatIsListedIsFoundAndWhatIsWatchedHasChanged() throws ApiException {
        ObservationSource<Lease, ObservedLease> source = leases();
        transport.list(LEASES, 200, list("7", lease("orders", "5")));

        assertThat(source.list(ANY).getItems())
                .singleElement()
                .satisfies(found -> assertThat(found.event()).get().isInstanceOf(WatchEvent.Found.class));

        Watchable<ObservedLease> watch = source.watch(ANY);
        transport.event(0, event("MODIFIED", lease("orders", "8")));
        assertThat(watch.next().object.event()).get().isInstanceOf(WatchEvent.Changed.class);
    }

    @Test
    void fieldsThatNobodyKnowsBreakNothingAndGarbageIsPassedOn() throws ApiException {
        ObservationSource<Lease, ObservedLease> source = leases();
        String future = "{\"metadata\": {\"namespace\": \"shop\", \"name\": \"a\", \"resourceVersion\": \"1\"},"
                + " \"spec\": {\"leaseDurationSeconds\": 15, \"inventedIn\": {\"the\": \"future\"}}}";
        String garbage = "{\"metadata\": {\"namespace\": \"shop\", \"name\": \"b\", \"resourceVersion\": \"2\"},"
                + " \"spec\": {\"leaseDurationSeconds\": \"a while\"}}";
        transport.list(LEASES, 200, list("7", future, garbage));

        assertThat(source.list(ANY).getItems())
                .extracting(item -> item.event().orElseThrow().getClass().getSimpleName())
                .containsExactly("Found", "Malformed");
    }

    @Test
    void aListIsSyncedOnceAllOfItsObjectsWereDelivered() throws ApiException {
        transport.list(LEASES, 200, list("7", lease("a", "1"), lease("b", "2")));
        List<ObservedLease> items = leases().list(ANY).getItems();
        assertThat(told).containsExactly("answered");

        items.get(0).listing().orElseThrow().delivered();
        assertThat(told).containsExactly("answered");
        items.get(1).listing().orElseThrow().delivered();
        assertThat(told).containsExactly("answered", "synced");
    }

    @Test
    void anEmptyListIsSyncedAtOnce() throws ApiException {
        transport.list(LEASES, 200, list("7"));
        leases().list(ANY);

        assertThat(told).contains("synced");
    }

    @Test
    void whatIsToBeListedAnewEndsTheWatchAndAListThatWasUnderWayDoesNotCount() throws ApiException {
        ObservationSource<Lease, ObservedLease> source = leases();
        transport.list(LEASES, 200, list("7", lease("a", "1")));
        List<ObservedLease> underWay = source.list(ANY).getItems();
        Watchable<ObservedLease> watch = source.watch(ANY);

        source.relist();

        underWay.get(0).listing().orElseThrow().delivered();
        assertThat(told).containsExactly("answered");
        assertThat(watch.next().status.getCode()).isEqualTo(410);
        assertThat(source.watch(ANY).next().status.getCode()).isEqualTo(410);
        assertThat(transport.streams).hasSize(1);
        source.list(ANY).getItems().get(0).listing().orElseThrow().delivered();
        assertThat(told).last().isEqualTo("synced");
    }

    @Test
    void aListThatFailsSaysWhyAndIsTriedAgain() {
        ObservationSource<Lease, ObservedLease> source = leases();
        transport.list(LEASES, 403, "{\"message\": \"you may not\"}");
        assertThatExceptionOfType(ApiException.class).isThrownBy(() -> source.list(ANY));
        assertThat(told).containsExactly("interrupted: GET " + LEASES + ": you may not");
    }

    @Test
    void aKindThatNeedNotBeServedIsAsIfThereWereNone() throws ApiException {
        ObservationSource<?, ObservedConfiguration> source = new ObservationSource<>(
                () -> new ObservedReader<>(WatchedKind.configurations(), ObservedConfiguration::new),
                transport,
                List.of(),
                listener);
        transport.list(CONFIGURATIONS, 404, "{\"message\": \"404 page not found\"}");

        assertThat(source.list(ANY).getItems()).isEmpty();
        assertThat(told).last().isEqualTo("synced");
        assertThat(told)
                .first()
                .asString()
                .startsWith("absent: ")
                .contains("apply cle-coordinator-app/deploy/crds/leaseconfigurations.yaml");
        source.watch(ANY);
        assertThat(transport.streams).isEmpty();
    }

    @Test
    void someNamespacesAreListedAndWatchedEachFromItsOwnVersion() throws ApiException {
        ObservationSource<Lease, ObservedLease> source = leases("shop", "bank");
        transport.list("/apis/coordination.k8s.io/v1/namespaces/shop/leases", 200, list("7", lease("a", "1")));
        transport.list("/apis/coordination.k8s.io/v1/namespaces/bank/leases", 200, list("9", lease("b", "2")));
        assertThat(source.list(ANY).getItems()).hasSize(2);

        Watchable<ObservedLease> watch = source.watch(ANY);
        transport.event(1, event("MODIFIED", lease("a", "12")));
        watch.next();
        source.watch(ANY);

        assertThat(transport.requests.subList(2, 6))
                .extracting(
                        request -> request.namespace() + " " + request.query().get("resourceVersion"))
                .containsExactly("bank 9", "shop 7", "bank 9", "shop 12");
    }

    @Test
    void aWatchThatWasOfUseIsResumedFromWhereItWasWithoutAWord() throws ApiException {
        ObservationSource<Lease, ObservedLease> source = leases();
        Watchable<ObservedLease> watch = watched(source);
        transport.event(0, bookmark("11"));
        transport.end(0, new WatchEnd.Broken("connection reset"));

        assertThat(watch.next().object.getMetadata().getResourceVersion()).isEqualTo("11");
        assertThat(watch.hasNext()).isFalse();
        source.watch(ANY);
        assertThat(transport.requests.get(2).query()).containsEntry("resourceVersion", "11");
        assertThat(told).noneMatch(word -> word.startsWith("interrupted"));
    }

    @Test
    void aWatchThatBreaksAtOnceIsReportedAndListedAnew() throws ApiException {
        Watchable<ObservedLease> watch = watched(leases());
        transport.end(0, new WatchEnd.Broken("connection refused"));

        assertExpired(watch.next());
        assertThat(told).contains("interrupted: connection refused");
    }

    @Test
    void aWatchThatDoesNotOpenIsReportedAndListedAnewAlsoBesideOneThatWasOfUse() throws ApiException {
        ObservationSource<Lease, ObservedLease> source = leases("shop", "bank");
        transport.list("/apis/coordination.k8s.io/v1/namespaces/shop/leases", 200, list("7"));
        transport.list("/apis/coordination.k8s.io/v1/namespaces/bank/leases", 200, list("9"));
        source.list(ANY);
        Watchable<ObservedLease> watch = source.watch(ANY);
        transport.event(0, bookmark("11"));
        transport.end(1, new WatchEnd.NotOpened("Read timed out"));

        assertThat(watch.next().type).isEqualTo("BOOKMARK");
        assertExpired(watch.next());
        assertThat(told).contains("interrupted: Read timed out");
    }

    @Test
    void aWatchThatEndsAtOnceIsNotOpenedAgainWithoutDelay() throws ApiException {
        Watchable<ObservedLease> watch = watched(leases());
        transport.end(0, new WatchEnd.Completed());

        assertExpired(watch.next());
        assertThat(told).anyMatch(word -> word.contains("the watch has ended without any event"));
    }

    @Test
    void aForgottenVersionIsListedAnewWithoutBeingAProblem() throws ApiException {
        Watchable<ObservedLease> watch = watched(leases());
        transport.end(
                0,
                new WatchEnd.Refused(new ApiResponse.Answered(
                        410, JsonParser.parseString("{}").getAsJsonObject(), null)));

        assertExpired(watch.next());
        assertThat(told).noneMatch(word -> word.startsWith("interrupted"));
    }

    @Test
    void anErrorInTheStreamIsListedAnew() throws ApiException {
        Watchable<ObservedLease> watch = watched(leases());
        transport.event(0, event("ERROR", "{\"code\": 500, \"message\": \"out of order\"}"));

        assertExpired(watch.next());
        assertThat(told).anyMatch(word -> word.contains("out of order"));
    }

    @Test
    void aDeletionIsPassedOnWithItsVersion() throws ApiException {
        Watchable<ObservedLease> watch = watched(leases());
        transport.event(0, event("DELETED", lease("orders", "12")));

        Watch.Response<ObservedLease> deleted = watch.next();
        assertThat(deleted.type).isEqualTo("DELETED");
        assertThat(deleted.object.key()).hasToString("shop/orders");
        assertThat(deleted.object.getMetadata().getResourceVersion()).isEqualTo("12");
    }

    @Test
    void aWatchThatIsClosedEnds() throws Exception {
        Watchable<ObservedLease> watch = watched(leases());
        watch.close();

        assertThat(watch.hasNext()).isFalse();
    }

    private Watchable<ObservedLease> watched(ObservationSource<Lease, ObservedLease> source) throws ApiException {
        transport.list(LEASES, 200, list("7"));
        source.list(ANY);
        return source.watch(ANY);
    }

    private ObservationSource<Lease, ObservedLease> leases(String... namespaces) {
        return new ObservationSource<>(
                () -> new ObservedReader<>(WatchedKind.leases(ApiFormat.CRD), ObservedLease::new),
                transport,
                List.of(namespaces),
                listener);
    }

    private static void assertExpired(Watch.Response<ObservedLease> response) {
        assertThat(response.type).isEqualTo("ERROR");
        assertThat(response.status.getCode()).isEqualTo(410);
    }

    private static String list(String version, String... items) {
        return "{\"metadata\": {\"resourceVersion\": \"" + version + "\"}, \"items\": [" + String.join(",", items)
                + "]}";
    }

    private static String lease(String name, String version) {
        return "{\"metadata\": {\"namespace\": \"shop\", \"name\": \"" + name + "\", \"resourceVersion\": \"" + version
                + "\"}, \"spec\": {\"leaseDurationSeconds\": 15}}";
    }

    private static String event(String type, String object) {
        return "{\"type\": \"" + type + "\", \"object\": " + object + "}";
    }

    private static String bookmark(String version) {
        return event("BOOKMARK", "{\"kind\": \"Lease\", \"metadata\": {\"resourceVersion\": \"" + version + "\"}}");
    }
}
