package io.cle.test.apiserver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.jspecify.annotations.Nullable;

/** Reads a watch's events as they arrive. Closing it ends the watch. */
public final class WatchReader implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final int code;
    private final InputStream stream;
    private final BlockingQueue<Optional<JsonObject>> events = new LinkedBlockingQueue<>();
    private volatile @Nullable IOException cut;

    WatchReader(int code, InputStream stream) {
        this.code = code;
        this.stream = stream;
        Thread reader = new Thread(this::read, "watch-reader");
        reader.setDaemon(true);
        reader.start();
    }

    /** The HTTP status code. */
    public int code() {
        return code;
    }

    /** Waits for the next event. Fails if the watch ends instead. */
    public JsonObject next() {
        return take().orElseThrow(() -> new AssertionError("the watch has ended", cut));
    }

    /** Waits for the watch to end; fails when another event comes. */
    public void expectEnd() {
        take().ifPresent(event -> {
            throw new AssertionError("expected the watch to end, but received " + event);
        });
    }

    private Optional<JsonObject> take() {
        try {
            Optional<JsonObject> event = events.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            if (event == null) {
                throw new AssertionError("neither an event nor the end of the watch within " + PATIENCE);
            }
            return event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for a watch", e);
        }
    }

    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    events.add(Optional.of(JsonParser.parseString(line).getAsJsonObject()));
                }
            }
        } catch (IOException e) {
            cut = e;
        } finally {
            events.add(Optional.empty());
        }
    }
}
