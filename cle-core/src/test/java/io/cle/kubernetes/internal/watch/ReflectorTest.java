package io.cle.kubernetes.internal.watch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.cle.kubernetes.internal.codec.JsonCodec;
import io.cle.kubernetes.internal.codec.LeaseJson;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.kubernetes.internal.transport.KubernetesTransport.WatchEnd;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.internal.Lease;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.WatchEvent;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class ReflectorTest extends ReflectorFixture {

    @Test
    void listsOneObjectByItsNameAndWatchesItFromTheVersionOfTheList() {
        transport.answer(200, list("7", lease("5", "a")));

        watchOrders();

        assertThat(transport.lastRequest().path()).isEqualTo("/apis/coordination.k8s.io/v1/namespaces/shop/leases");
        assertThat(transport.lastRequest().query()).containsOnly(Map.entry("fieldSelector", "metadata.name=orders"));
        assertThat(transport.lastWatch().request.query())
                .containsEntry("resourceVersion", "7")
                .containsEntry("watch", "true")
                .containsEntry("allowWatchBookmarks", "true")
                .containsEntry("timeoutSeconds", "1800")
                .containsEntry("fieldSelector", "metadata.name=orders");
        WatchEvent.Snapshot<Lease> snapshot = (WatchEvent.Snapshot<Lease>) events.get(0);
        assertThat(snapshot.objects()).singleElement().satisfies(lease -> {
            assertThat(lease.holder()).isEqualTo("a");
            assertThat(lease.resourceVersion()).isEqualTo("5");
        });
    }

    @Test
    void anEmptyListIsAnEmptySnapshot() {
        transport.answer(200, list("7"));

        watchOrders();

        assertThat(events).containsExactly(new WatchEvent.Snapshot<>(List.of(), "7"));
    }

    @Test
    void goesOnWatchingAfterAnErrorOfTheWatcher() {
        transport.answer(200, list("7", lease("5", "a")));
        client.watch(LeaseJson.CRD, ORDERS, event -> {
            events.add(event);
            throw new NoClassDefFoundError("Missing");
        });
        loop.runReady();

        event("MODIFIED", lease("8", "b"));
        assertThat(holderOf(events.get(1))).isEqualTo("b");
    }

    @Nested
    class ListInPages {

        private void watchAll() {
            client.watch(WatchedKind.all(LeaseJson.CRD, Map.of()), events::add);
            loop.runReady();
        }

        private static String page(String version, String continuation, String... items) {
            return list(version, items)
                    .replace(
                            "'metadata': {'resourceVersion'",
                            "'metadata': {'continue': '" + continuation + "', 'resourceVersion'");
        }

        @Test
        void listInPagesAreOneSnapshotFromWhichTheWatchBegins() {
            transport.answer(200, page("7", "more", lease("5", "a")));
            transport.answer(200, list("7", lease("6", "b").replace("'orders'", "'invoices'")));

            watchAll();

            assertThat(transport.requests.get(0).query()).containsOnly(Map.entry("limit", "500"));
            assertThat(transport.requests.get(1).query())
                    .containsOnly(Map.entry("limit", "500"), Map.entry("continue", "more"));
            assertThat(events).hasSize(1);
            assertThat(((WatchEvent.Snapshot<Lease>) events.get(0)).objects())
                    .extracting(Lease::holder)
                    .containsExactly("a", "b");
            assertThat(transport.lastWatch().request.query()).containsEntry("resourceVersion", "7");
        }

        @Test
        void listInPagesBeginAnewWhenTheServerHasForgottenTheList() {
            transport.answer(200, page("7", "more", lease("5", "a")));
            transport.answer(410, "{'kind': 'Status', 'code': 410, 'reason': 'Expired', 'message': 'too old'}");
            transport.answer(200, list("90", lease("88", "z")));

            watchAll();
            loop.advance(A_MOMENT);

            assertThat(events.get(0)).isInstanceOf(WatchEvent.Interrupted.class);
            assertThat(((WatchEvent.Snapshot<Lease>) events.get(1)).objects())
                    .extracting(Lease::holder)
                    .containsExactly("z");
            assertThat(transport.requests.get(2).query()).containsOnlyKeys("limit");
        }
    }

    /** safety.md#succession. */
    @Nested
    class ListOfAnEarlierState {

        private WatchEvent.Snapshot<Lease> lastSnapshot() {
            return (WatchEvent.Snapshot<Lease>) events.get(events.size() - 1);
        }

        private void breakAndList(String... lists) {
            for (String list : lists) {
                transport.answer(200, list);
            }
            end(new WatchEnd.Broken("reset"));
            loop.advance(A_MOMENT);
        }

        @Test
        void listOfAnEarlierStateIsWhatThereIsAndIsWatchedFrom() {
            watchFrom("90", lease("85", "a"));

            breakAndList(list("60", lease("55", "z")));

            assertThat(lastSnapshot().objects()).extracting(Lease::holder).containsExactly("z");
            assertThat(transport.lastWatch().request.query()).containsEntry("resourceVersion", "60");
            event("MODIFIED", lease("62", "y"));
            assertThat(holderOf(events.get(events.size() - 1))).isEqualTo("y");
        }

        @Test
        void listOfAnEarlierStateIsLookedForWhenABookmarkIsOfAnEarlierState() {
            watchFrom("90", lease("85", "a"));
            transport.answer(200, list("60", lease("55", "z")));

            event("BOOKMARK", "{'metadata': {'resourceVersion': '60'}}");
            loop.advance(A_MOMENT);

            assertThat(lastSnapshot().objects()).extracting(Lease::holder).containsExactly("z");
        }
    }

    @Test
    void reportsChangesAndDeletionsInTheirOrder() {
        watchFrom("7", lease("5", "a"));

        event("MODIFIED", lease("8", "b"));
        event("DELETED", lease("9", "b"));
        event("ADDED", lease("10", "c"));

        assertThat(holderOf(events.get(0))).isEqualTo("b");
        assertThat(events.get(1)).isEqualTo(new WatchEvent.Removed<Lease>(ORDERS, "9"));
        assertThat(holderOf(events.get(2))).isEqualTo("c");
        assertThat(events).hasSize(3);
    }

    @Test
    void dropsEventsThatAreNotNewerThanWhatIsKnown() {
        watchFrom("7", lease("7", "a"));

        event("MODIFIED", lease("7", "a"));
        event("MODIFIED", lease("10", "b"));
        event("MODIFIED", lease("9", "stale"));
        event("DELETED", lease("8", "stale"));
        event("DELETED", lease("11", "b"));
        event("MODIFIED", lease("10", "stale"));
        event("DELETED", lease("11", "b"));

        assertThat(events).hasSize(2);
        assertThat(holderOf(events.get(0))).isEqualTo("b");
        assertThat(events.get(1)).isInstanceOf(WatchEvent.Removed.class);
    }

    @Test
    void anOrdinaryEndIsResumedAtOnceFromTheLastVersionSeenWithoutAnEvent() {
        watchFrom("7", lease("5", "a"));
        event("MODIFIED", lease("8", "b"));
        event("BOOKMARK", "{'metadata': {'resourceVersion': '20'}}");
        events.clear();

        end(new WatchEnd.Completed());

        assertThat(events).isEmpty();
        assertThat(transport.watches).hasSize(2);
        assertThat(transport.lastWatch().request.query()).containsEntry("resourceVersion", "20");
    }

    @Test
    void versionsThatTheServerHasForgottenBeginAnewAtOnceWhenAnEventSaysSo() {
        watchFrom("7", lease("5", "a"));
        transport.answer(200, list("90", lease("88", "z")));

        event("ERROR", "{'kind': 'Status', 'code': 410, 'reason': 'Expired', 'message': 'too old resource version'}");

        assertThat(events).singleElement().isInstanceOf(WatchEvent.Snapshot.class);
        assertThat(transport.watches).hasSize(2);
        assertThat(transport.watches.get(0).cut).isTrue();
        assertThat(transport.lastWatch().request.query()).containsEntry("resourceVersion", "90");
    }

    @Test
    void versionsThatTheServerHasForgottenBeginAnewAtOnceWhenTheStatusSaysSo() {
        watchFrom("7", lease("5", "a"));
        transport.answer(200, list("90"));

        end(new WatchEnd.Refused(new ApiResponse.Answered(410, FakeTransport.json("{'message': 'Gone'}"), null)));

        assertThat(events).containsExactly(new WatchEvent.Snapshot<>(List.of(), "90"));
        assertThat(transport.watches).hasSize(2);
    }

    @Test
    void aMalformedRecordIsReportedAndEndsNoTermOfAnother() {
        transport.answer(
                200,
                list(
                        "7",
                        "{'metadata': {'namespace': 'shop', 'name': 'orders', 'resourceVersion': '5'}, 'spec': {'holderIdentity': 1}}"));

        watchOrders();

        assertThat(events.get(0)).isEqualTo(new WatchEvent.Snapshot<>(List.of(), "7"));
        assertThat(events.get(1)).isInstanceOfSatisfying(WatchEvent.Malformed.class, malformed -> {
            assertThat(malformed.key()).isEqualTo(ORDERS);
            assertThat(malformed.problem()).isEqualTo("spec.holderIdentity must be a string and is 1");
        });
        event("MODIFIED", lease("8", "b"));
        assertThat(holderOf(events.get(2))).isEqualTo("b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", 'resourceVersion': ''", ", 'resourceVersion': 'new'", ", 'resourceVersion': '007'"})
    void anObjectWithoutAVersionThatIsANumberIsMalformed(String version) {
        watchFrom("7", lease("5", "a"));

        event(
                "MODIFIED",
                "{'metadata': {'namespace': 'shop', 'name': 'orders'" + version
                        + "}, 'spec': {'holderIdentity': 'a'}}");

        assertThat(events)
                .singleElement()
                .isInstanceOfSatisfying(
                        WatchEvent.Malformed.class,
                        malformed -> assertThat(malformed.problem())
                                .startsWith("metadata.resourceVersion must be a decimal number"));
    }

    @Test
    void eventsOfUnknownTypesAreIgnored() {
        watchFrom("7");

        event("NOVELTY", lease("8", "b"));
        event("ADDED", lease("9", "c"));

        assertThat(events)
                .singleElement()
                .satisfies(event -> assertThat(holderOf(event)).isEqualTo("c"));
    }

    @Test
    void anEventThatIsNoneBeginsAnew() {
        watchFrom("7", lease("5", "a"));
        transport.answer(200, list("8", lease("8", "b")));

        transport.lastWatch().raw("{'hello': 'world'}");
        loop.advance(A_MOMENT);

        assertThat(events.get(0)).isInstanceOf(WatchEvent.Interrupted.class);
        assertThat(events.get(1)).isInstanceOf(WatchEvent.Snapshot.class);
        assertThat(transport.watches.get(0).cut).isTrue();
    }

    @Test
    void objectsOutsideTheScopeAreIgnoredWhateverTheServerSends() {
        watchFrom("7", lease("5", "a"));

        event("ADDED", lease("8", "b").replace("'orders'", "'invoices'"));

        assertThat(events).isEmpty();
    }

    @Test
    void nothingIsReportedAfterItIsClosed() {
        Subscription subscription = watchFrom("7", lease("5", "a"));
        FakeTransport.OpenWatch watch = transport.lastWatch();

        subscription.close();
        watch.event("MODIFIED", lease("8", "b"));
        loop.advance(Duration.ofMinutes(10));

        assertThat(events).isEmpty();
        assertThat(watch.cut).isTrue();
        assertThat(transport.watches).hasSize(1);
        assertThat(transport.requests).hasSize(1);
    }

    @Test
    void closedBeforeTheListIsThereItNeverWatches() {
        transport.answer(200, list("7"));
        Subscription subscription = client.watch(LeaseJson.CRD, ORDERS, events::add);
        subscription.close();

        loop.advance(Duration.ofMinutes(10));

        assertThat(events).isEmpty();
        assertThat(transport.watches).isEmpty();
    }

    @Test
    void aWatcherThatThrowsReceivesTheNextEventAllTheSame() {
        List<WatchEvent<Lease>> heard = new ArrayList<>();
        transport.answer(200, list("7"));
        client.watch(LeaseJson.CRD, ORDERS, event -> {
            heard.add(event);
            throw new IllegalStateException("the watcher's own bug");
        });
        loop.runReady();

        event("ADDED", lease("8", "b"));

        assertThat(heard).hasSize(2);
    }

    /** Events that wait for a busy event loop are as small as the model, however large the objects are (protocol.md#requests-and-limits). */
    @Test
    void anEventIsDecodedAsItIsReadAndNotByTheEventLoop() {
        List<Fields> decoded = new ArrayList<>();
        LeaseJson codec = LeaseJson.CRD;
        JsonCodec<Lease> noting = new JsonCodec<>() {
            @Override
            public ResourceType resource() {
                return codec.resource();
            }

            @Override
            public Optional<Lease> decode(Fields object) throws MalformedObjectException {
                decoded.add(object);
                return codec.decode(object);
            }
        };
        transport.answer(200, list("5"));
        client.watch(noting, ORDERS, events::add);
        loop.runReady();
        events.clear();

        transport.lastWatch().event("ADDED", lease("6", "a"));

        assertThat(decoded).hasSize(1);
        assertThat(events).isEmpty();
        loop.runReady();
        assertThat(decoded).hasSize(1);
        assertThat(events)
                .singleElement()
                .satisfies(event -> assertThat(holderOf(event)).isEqualTo("a"));
    }
}
