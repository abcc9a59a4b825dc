package io.cle.kubernetes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.cle.api.Subscription;
import io.cle.api.WatchEvent;
import io.cle.kubernetes.KubernetesTransport.WatchEnd;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import io.cle.runtime.VirtualLoop;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ReflectorTest {

    private static final ObjectKey ORDERS = new ObjectKey("shop", "orders");
    private static final Duration A_MOMENT = Duration.ofSeconds(1);
    private static final Duration SIX_SECONDS = Duration.ofSeconds(6);

    private final VirtualLoop loop = new VirtualLoop();
    private final FakeTransport transport = new FakeTransport();
    private final List<WatchEvent<Lease>> events = new ArrayList<>();
    private final ObjectClient client = new ObjectClient(transport, loop, new Random(1), Duration.ofSeconds(5));

    private static String lease(String version, String holder) {
        return "{'metadata': {'namespace': 'shop', 'name': 'orders', 'resourceVersion': '" + version
                + "'}, 'spec': {'holderIdentity': '" + holder + "', 'leaseDurationSeconds': 15}}";
    }

    private static String list(String version, String... items) {
        return "{'metadata': {'resourceVersion': '" + version + "'}, 'items': [" + String.join(",", items) + "]}";
    }

    private Subscription watchOrders() {
        Subscription subscription = client.watch(new AnnotatedLeaseCodec(), ORDERS, events::add);
        loop.runReady();
        return subscription;
    }

    private Subscription watchFrom(String version, String... items) {
        transport.answer(200, list(version, items));
        Subscription subscription = watchOrders();
        assertThat(events).hasSize(1).first().isInstanceOf(WatchEvent.Snapshot.class);
        events.clear();
        return subscription;
    }

    private void end(WatchEnd end) {
        transport.lastWatch().end(end);
        loop.runReady();
    }

    private void event(String type, String object) {
        transport.lastWatch().event(type, object);
        loop.runReady();
    }

    private static String holderOf(WatchEvent<Lease> event) {
        return ((WatchEvent.Changed<Lease>) event).object().holder();
    }

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

        assertThat(events).containsExactly(new WatchEvent.Snapshot<>(List.of()));
    }

    @Test
    void tellsOfChangesAndDeletionsInTheirOrder() {
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
    void anOrdinaryEndIsResumedAtOnceFromTheLastVersionSeenWithoutTellingAnybody() {
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
    void aWatchThatEndsAgainAndAgainWithoutAnyEventBacksOff() {
        watchFrom("7", lease("5", "a"));

        end(new WatchEnd.Completed());
        assertThat(events).isEmpty();
        end(new WatchEnd.Completed());

        assertThat(transport.watches).hasSize(2);
        assertThat(events).singleElement().isInstanceOfSatisfying(WatchEvent.Interrupted.class, interrupted -> {
            assertThat(interrupted.message()).contains("ends again and again");
            assertThat(interrupted.retryIn()).isBetween(Duration.ofMillis(200), Duration.ofMillis(400));
        });
        transport.answer(200, list("8", lease("8", "b")));
        loop.advance(A_MOMENT);
        assertThat(transport.watches).hasSize(3);
        assertThat(events.get(1)).isInstanceOf(WatchEvent.Snapshot.class);
    }

    @Test
    void aWatchThatEndsAgainAndAgainAfterAWhileDoesNotBackOff() {
        watchFrom("7", lease("5", "a"));

        for (int i = 0; i < 20; i++) {
            loop.advance(SIX_SECONDS);
            end(new WatchEnd.Completed());
        }

        assertThat(transport.watches).hasSize(21);
        assertThat(transport.requests).hasSize(1);
        assertThat(events).isEmpty();
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

        assertThat(events).containsExactly(new WatchEvent.Snapshot<>(List.of()));
        assertThat(transport.watches).hasSize(2);
    }

    @Test
    void aServerThatForgetsEveryVersionIsNotAskedWithoutPause() {
        watchFrom("7");
        for (int i = 0; i < 10; i++) {
            transport.answer(200, list("90"));
        }

        String gone = "{'kind': 'Status', 'code': 410, 'message': 'too old resource version'}";
        event("ERROR", gone);
        event("ERROR", gone);

        assertThat(events).last().isInstanceOf(WatchEvent.Interrupted.class);
        assertThat(transport.requests).hasSize(2);
    }

    @Test
    void aServerThatIsAwayIsTriedForEverWithGrowingPausesOfHalfAMinuteAtMost() {
        watchOrders();
        loop.advance(Duration.ofMinutes(30));

        List<Duration> pauses = events.stream()
                .map(event -> ((WatchEvent.Interrupted<Lease>) event).retryIn())
                .toList();
        assertThat(pauses.get(0)).isLessThanOrEqualTo(Duration.ofMillis(200));
        assertThat(pauses.get(5)).isGreaterThan(Duration.ofSeconds(3));
        assertThat(pauses).allMatch(pause -> pause.compareTo(Duration.ofSeconds(30)) <= 0);
        assertThat(pauses.subList(10, pauses.size())).allMatch(pause -> pause.compareTo(Duration.ofSeconds(15)) >= 0);
        assertThat(pauses).hasSizeBetween(60, 140);

        transport.answer(200, list("7", lease("5", "a")));
        loop.advance(Duration.ofSeconds(31));
        assertThat(events).last().isInstanceOf(WatchEvent.Snapshot.class);
        events.clear();
        event("MODIFIED", lease("8", "b"));
        end(new WatchEnd.Broken("reset"));
        assertThat(((WatchEvent.Interrupted<Lease>) events.get(1)).retryIn())
                .as("after a success the pauses begin anew")
                .isLessThanOrEqualTo(Duration.ofMillis(200));
    }

    @Test
    void aListThatFailsSlowlyStillBacksOff() {
        transport.noAnswer("timed out");
        watchOrders();
        for (int i = 0; i < 8; i++) {
            loop.advance(Duration.ofSeconds(40));
        }

        assertThat(((WatchEvent.Interrupted<Lease>) events.get(events.size() - 1)).retryIn())
                .isGreaterThan(Duration.ofSeconds(10));
    }

    @Test
    void aBrokenWatchIsToldAndFollowedByASnapshot() {
        watchFrom("7", lease("5", "a"));
        event("MODIFIED", lease("8", "b"));
        events.clear();
        transport.answer(200, list("9", lease("9", "c")));

        end(new WatchEnd.Broken("connection reset"));
        loop.advance(A_MOMENT);

        assertThat(events.get(0))
                .isInstanceOfSatisfying(
                        WatchEvent.Interrupted.class,
                        interrupted -> assertThat(interrupted.message()).contains("connection reset"));
        assertThat(events.get(1)).isInstanceOf(WatchEvent.Snapshot.class);
        assertThat(events).hasSize(2);
    }

    @Test
    void aServerThatAsksForPatienceGetsIt() {
        transport.answer(429, "{'message': 'slow down'}", Duration.ofSeconds(17));

        watchOrders();

        assertThat(events).singleElement().isInstanceOfSatisfying(WatchEvent.Interrupted.class, interrupted -> {
            assertThat(interrupted.retryIn()).isEqualTo(Duration.ofSeconds(17));
            assertThat(interrupted.message()).contains("slow down");
        });
    }

    @Test
    void aSilentWatchIsCutAndResumedAndWhenThatIsSilentTooBegunAnew() {
        watchFrom("7", lease("5", "a"));

        loop.advance(Reflector.SILENCE);

        assertThat(transport.watches).hasSize(2);
        assertThat(transport.watches.get(0).cut).isTrue();
        assertThat(transport.lastWatch().request.query()).containsEntry("resourceVersion", "7");
        assertThat(events).isEmpty();

        transport.answer(200, list("3", lease("2", "of a server that lost its data")));
        loop.advance(Reflector.SILENCE);

        assertThat(events).singleElement().isInstanceOf(WatchEvent.Snapshot.class);
        assertThat(transport.lastWatch().request.query()).containsEntry("resourceVersion", "3");
    }

    @Test
    void bookmarksKeepAWatchAlive() {
        watchFrom("7", lease("5", "a"));

        for (int i = 0; i < 30; i++) {
            loop.advance(Duration.ofMinutes(1));
            event("BOOKMARK", "{'metadata': {'resourceVersion': '" + (10 + i) + "'}}");
        }

        assertThat(transport.watches).hasSize(1);
        assertThat(events).isEmpty();
    }

    @Test
    void whatCannotBeUnderstoodIsToldAndEndsNothing() {
        transport.answer(
                200, list("7", "{'metadata': {'namespace': 'shop', 'name': 'orders'}, 'spec': {'holderIdentity': 1}}"));

        watchOrders();

        assertThat(events.get(0)).isEqualTo(new WatchEvent.Snapshot<>(List.of()));
        assertThat(events.get(1)).isInstanceOfSatisfying(WatchEvent.Malformed.class, malformed -> {
            assertThat(malformed.key()).isEqualTo(ORDERS);
            assertThat(malformed.problem()).isEqualTo("spec.holderIdentity must be a string and is 1");
        });
        event("MODIFIED", lease("8", "b"));
        assertThat(holderOf(events.get(2))).isEqualTo("b");
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
    void nothingIsToldOnceItIsClosed() {
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
        Subscription subscription = client.watch(new AnnotatedLeaseCodec(), ORDERS, events::add);
        subscription.close();

        loop.advance(Duration.ofMinutes(10));

        assertThat(events).isEmpty();
        assertThat(transport.watches).isEmpty();
    }

    @Test
    void aWatcherThatFailsHearsOfTheNextEventAllTheSame() {
        List<WatchEvent<Lease>> heard = new ArrayList<>();
        transport.answer(200, list("7"));
        client.watch(new AnnotatedLeaseCodec(), ORDERS, event -> {
            heard.add(event);
            throw new IllegalStateException("the watcher's own bug");
        });
        loop.runReady();

        event("ADDED", lease("8", "b"));

        assertThat(heard).hasSize(2);
    }

    @Test
    void aKindThatTheServerDoesNotServeIsToldWithTheWayOut() {
        transport.answer(404, "{'message': '404 page not found'}");

        client.watch(new CrdCandidateCodec(), new ObjectKey("shop", "orders-a"), event -> {
            assertThat(event)
                    .isInstanceOfSatisfying(
                            WatchEvent.Interrupted.class,
                            interrupted -> assertThat(interrupted.message())
                                    .contains("cle-coordinator-app/deploy/crds/leasecandidates.yaml"));
            events.add(null);
        });
        loop.runReady();

        assertThat(events).hasSize(1);
    }

    @Test
    void anOptionalKindThatTheServerDoesNotServeIsAnEmptySnapshotToldOnceAndLookedForAgain() {
        WatchScope optional = WatchScope.everything().asOptional();
        for (int i = 0; i < 3; i++) {
            transport.answer(404, "{'message': '404 page not found'}");
        }
        client.watch(new AnnotatedLeaseCodec(), optional, events::add);
        loop.advance(Reflector.OPTIONAL_RETRY.multipliedBy(2));

        assertThat(transport.requests).hasSize(3);
        assertThat(events.stream().filter(WatchEvent.Interrupted.class::isInstance))
                .hasSize(1);
        assertThat(events.get(0)).isEqualTo(new WatchEvent.Snapshot<>(List.of()));

        transport.answer(200, list("7", lease("5", "a")));
        loop.advance(Reflector.OPTIONAL_RETRY);
        assertThat(((WatchEvent.Snapshot<Lease>) events.get(events.size() - 1)).objects())
                .hasSize(1);
    }
}
