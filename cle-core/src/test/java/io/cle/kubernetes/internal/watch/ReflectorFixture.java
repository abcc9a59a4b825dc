package io.cle.kubernetes.internal.watch;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.codec.LeaseJson;
import io.cle.kubernetes.internal.transport.FakeTransport;
import io.cle.kubernetes.internal.transport.KubernetesTransport.WatchEnd;
import io.cle.lock.internal.VirtualLoop;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.WatchEvent;

import static org.assertj.core.api.Assertions.assertThat;

/** A reflector of one lease, in virtual time, with a transport whose answers the test gives. */
abstract class ReflectorFixture {

    static final ObjectKey ORDERS = new ObjectKey("shop", "orders");
    /** Longer than the first pause. */
    static final Duration A_MOMENT = Duration.ofSeconds(1);

    final VirtualLoop loop = new VirtualLoop();
    final FakeTransport transport = new FakeTransport();
    final List<WatchEvent<Lease>> events = new ArrayList<>();
    final ObjectClient client = new ObjectClient(transport, loop, new Random(1), Duration.ofSeconds(5));

    static String lease(String version, String holder) {
        return "{'metadata': {'namespace': 'shop', 'name': 'orders', 'resourceVersion': '" + version
                + "'}, 'spec': {'holderIdentity': '" + holder + "', 'leaseDurationSeconds': 15}}";
    }

    static String list(String version, String... items) {
        return "{'metadata': {'resourceVersion': '" + version + "'}, 'items': [" + String.join(",", items) + "]}";
    }

    Subscription watchOrders() {
        Subscription subscription = client.watch(LeaseJson.CRD, ORDERS, events::add);
        loop.runReady();
        return subscription;
    }

    Subscription watchFrom(String version, String... items) {
        transport.answer(200, list(version, items));
        Subscription subscription = watchOrders();
        assertThat(events).hasSize(1).first().isInstanceOf(WatchEvent.Snapshot.class);
        events.clear();
        return subscription;
    }

    void end(WatchEnd end) {
        transport.lastWatch().end(end);
        loop.runReady();
    }

    void event(String type, String object) {
        transport.lastWatch().event(type, object);
        loop.runReady();
    }

    static String holderOf(WatchEvent<Lease> event) {
        return ((WatchEvent.Changed<Lease>) event).object().holder();
    }
}
