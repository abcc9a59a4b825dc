package io.cle.kubernetes.internal.transport;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.transport.KubernetesTransport.WatchEnd;

/** Records the events and the end of a watch. */
final class WatchRecorder implements KubernetesTransport.WatchStream {

    private static final long PATIENCE = 20;

    final BlockingQueue<JsonObject> events = new LinkedBlockingQueue<>();
    final BlockingQueue<WatchEnd> ends = new LinkedBlockingQueue<>();

    @Override
    public void onEvent(JsonObject event) {
        events.add(event);
    }

    @Override
    public void onEnd(WatchEnd end) {
        ends.add(end);
    }

    JsonObject nextEvent() throws InterruptedException {
        return events.poll(PATIENCE, TimeUnit.SECONDS);
    }

    boolean ended() {
        return !ends.isEmpty();
    }

    WatchEnd end() throws InterruptedException {
        return ends.poll(PATIENCE, TimeUnit.SECONDS);
    }
}
