package io.cle.test.simulation.internal.server;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.KubernetesTransport.WatchEnd;
import io.cle.store.internal.Subscription;
import io.cle.test.apiserver.memory.WatchListener;
import io.cle.test.apiserver.memory.WatchStream;
import io.cle.test.apiserver.store.Metadata;
import io.cle.test.simulation.scenario.NetworkFaults;
import org.jspecify.annotations.Nullable;

/** The connection of a watch: events arrive in order, late, twice, or not at all. */
public final class SimulatedWatch implements Subscription {

    private final Network network;
    private final SimulatedTransport client;
    private final KubernetesTransport.WatchStream listener;
    private final String what;
    private final @Nullable WatchCaches caches;
    private final int apiServer;
    private @Nullable WatchStream stream;
    private @Nullable JsonObject last;
    private long lastArrival;
    private boolean silent;
    private int resets;
    private boolean over;
    private boolean closed;

    SimulatedWatch(
            Network network, SimulatedTransport client, ApiRequest request, KubernetesTransport.WatchStream listener) {
        this.network = network;
        this.client = client;
        this.listener = listener;
        this.caches = network.server().caches();
        this.apiServer = caches == null ? 0 : caches.someServer();
        this.what = network.history().on() ? ObjectSummary.of(request) : "";
        note(client.process().name(), "opens ");
    }

    private void note(String who, String happens) {
        network.history().line(who, happens + what);
    }

    /** Who has opened it. */
    public SimulatedTransport client() {
        return client;
    }

    /** Whether it is open but no longer delivers anything. */
    public boolean silent() {
        return silent;
    }

    void open(ApiRequest request) {
        if (closed || over) {
            return;
        }
        if (client.cutOff() || !network.server().up()) {
            end(new WatchEnd.NotOpened(request.describe() + ": connection refused"));
            return;
        }
        if (!network.server().serves(request.resource())) {
            end(new WatchEnd.Refused(Network.status(404, "404 page not found")));
            return;
        }
        if (network.chance(network.faults().failing())) {
            end(new WatchEnd.Refused(Network.status(500, "injected")));
            return;
        }
        WatchStream opened = network.server().watch(request, new WatchListener() {
            @Override
            public void onEvent(JsonObject event) {
                event(event);
            }

            @Override
            public void onEnd() {
                end(new WatchEnd.Completed());
            }
        });
        stream = opened;
        if (over) {
            opened.close();
        }
    }

    private void event(JsonObject event) {
        NetworkFaults faults = network.faults();
        if (client.deaf() || network.chance(faults.silenced())) {
            silence();
        }
        if (silent || over) {
            return;
        }
        arrive(event);
        JsonObject before = last;
        if (before != null && network.chance(faults.repeated())) {
            arrive(network.random().nextBoolean() ? before : event);
        }
        last = event;
        if (network.chance(faults.broken())) {
            fail();
        }
    }

    /** Stops delivering, without ending. */
    public void silence() {
        note(client.process().name(), "no longer observes ");
        silent = true;
    }

    /** Ends in one of the ways in which watches end; does nothing if it is silent. */
    public void fail() {
        if (silent) {
            return;
        }
        switch (network.random().nextInt(3)) {
            case 0 -> end(new WatchEnd.Broken("connection reset"));
            case 1 -> end(new WatchEnd.Completed());
            default -> {
                JsonObject status = new JsonObject();
                status.addProperty("code", 410);
                status.addProperty("message", "injected: too old resource version");
                JsonObject error = new JsonObject();
                error.addProperty("type", "ERROR");
                error.add("object", status);
                arrive(error);
                end(new WatchEnd.Completed());
            }
        }
    }

    /** Breaks, even if it is silent: the reset gets through, but nothing that was sent before, because a connection has no holes. */
    public void reset() {
        resets += silent ? 1 : 0;
        silent = false;
        end(new WatchEnd.Broken("connection reset"));
    }

    /** Sends a bookmark, as API servers do about every minute. */
    public void bookmark() {
        if (stream != null && !silent && !over) {
            stream.bookmark();
        }
    }

    private void end(WatchEnd end) {
        if (over || silent) {
            return;
        }
        over = true;
        disconnect();
        later(0, () -> {
            if (network.history().on()) {
                note(client.process().name(), "observes " + end + " of ");
            }
            listener.onEnd(end);
        });
    }

    private void arrive(JsonObject event) {
        long inCache = caches == null ? 0 : caches.until(apiServer, Metadata.version(event.getAsJsonObject("object")));
        later(inCache, () -> {
            if (network.history().on()) {
                network.history()
                        .line(
                                client.process().name(),
                                "observes " + event.get("type").getAsString() + " "
                                        + ObjectSummary.object(event.getAsJsonObject("object")));
            }
            network.listener().delivered(client.process(), event.getAsJsonObject("object"));
            listener.onEvent(event);
        });
    }

    /**
     * Delivers something after everything sent before.
     *
     * @param inCache how long until it is in the API server's cache
     */
    private void later(long inCache, Runnable arrival) {
        long now = network.time().now();
        lastArrival = Math.max(lastArrival, now + inCache + network.delay());
        int sentBefore = resets;
        network.time().after(lastArrival - now, () -> {
            if (sentBefore == resets) {
                deliver(arrival);
            }
        });
    }

    /** Drops what arrives while the client is cut off, even the watch's end; the client then waits in vain. */
    private void deliver(Runnable arrival) {
        if (closed || silent || !client.process().alive()) {
            return;
        }
        if (!client.cutOff()) {
            arrival.run();
            return;
        }
        silence();
        if (over) {
            over = false;
            network.connections().add(this);
        }
    }

    private void disconnect() {
        network.connections().remove(this);
        if (stream != null) {
            stream.close();
            stream = null;
        }
    }

    @Override
    public void close() {
        if (!closed) {
            note(client.process().name(), "closes ");
        }
        closed = true;
        over = true;
        disconnect();
    }
}
