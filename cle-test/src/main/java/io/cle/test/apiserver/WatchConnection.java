package io.cle.test.apiserver;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpExchange;
import io.cle.test.apiserver.memory.WatchListener;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a watch. Events are queued on the thread that causes them and written by a worker: a client that
 * doesn't read delays no other client, and an idle watch uses no thread.
 */
final class WatchConnection implements WatchListener {

    private static final int LONGEST_QUEUE = 10_000;

    private final HttpExchange exchange;
    private final Function<JsonObject, byte[]> encoder;
    private final Executor workers;
    private final Deque<JsonObject> queue = new ArrayDeque<>();
    private final List<Future<?>> timers = new ArrayList<>();
    private Runnable onBroken = () -> {};
    private boolean opened;
    private boolean writing;
    private boolean ended;

    WatchConnection(HttpExchange exchange, Function<JsonObject, byte[]> encoder, Executor workers) {
        this.exchange = exchange;
        this.encoder = encoder;
        this.workers = workers;
    }

    /** Runs the action when the client has disconnected. */
    synchronized void onBroken(Runnable action) {
        onBroken = action;
    }

    /** Starts writing, after the headers were sent. */
    synchronized void open() {
        opened = true;
        write();
    }

    /** Cancels a timer when the watch ends. */
    synchronized void cancelAtEnd(Future<?> timer) {
        if (ended) {
            timer.cancel(false);
        } else {
            timers.add(timer);
        }
    }

    @Override
    public synchronized void onEvent(JsonObject event) {
        if (!ended) {
            queue.add(event);
            if (queue.size() > LONGEST_QUEUE) {
                // Like kube-apiserver, disconnects a client that is too far behind; it will reconnect.
                queue.clear();
                onEnd();
                workers.execute(onBroken);
            } else {
                write();
            }
        }
    }

    @Override
    public synchronized void onEnd() {
        ended = true;
        timers.forEach(timer -> timer.cancel(false));
        timers.clear();
        write();
    }

    private synchronized void write() {
        if (opened && !writing) {
            writing = true;
            try {
                workers.execute(this::drain);
            } catch (RejectedExecutionException e) {
                // The server is being stopped, and closes its connections itself.
                ended = true;
            }
        }
    }

    private void drain() {
        try {
            OutputStream out = exchange.getResponseBody();
            for (JsonObject event = next(); event != null; event = next()) {
                out.write(encoder.apply(event));
                out.write('\n');
                out.flush();
            }
            if (isEnded()) {
                exchange.close();
            }
        } catch (IOException e) {
            broken();
        }
    }

    private synchronized @Nullable JsonObject next() {
        JsonObject event = queue.poll();
        if (event == null) {
            writing = false;
        }
        return event;
    }

    private synchronized boolean isEnded() {
        return ended && !writing;
    }

    /** Closes the watch of a client that has disconnected. */
    void broken() {
        Runnable action;
        synchronized (this) {
            ended = true;
            queue.clear();
            timers.forEach(timer -> timer.cancel(false));
            timers.clear();
            action = onBroken;
        }
        exchange.close();
        action.run();
    }
}
