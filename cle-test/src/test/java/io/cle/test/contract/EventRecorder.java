package io.cle.test.contract;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.cle.store.internal.WatchEvent;
import io.cle.store.internal.Watcher;

import static org.assertj.core.api.Assertions.assertThat;

/** Records the events of a watch; tests take them one by one. */
final class EventRecorder<T> implements Watcher<T> {

    private final BlockingQueue<WatchEvent<T>> events = new LinkedBlockingQueue<>();

    @Override
    public void onEvent(WatchEvent<T> event) {
        events.add(event);
    }

    WatchEvent<T> next() {
        try {
            WatchEvent<T> event = events.poll(ApiUnderTest.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(event).as("an event of the watch").isNotNull();
            return event;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    WatchEvent.Snapshot<T> nextSnapshot() {
        WatchEvent<T> event = next();
        assertThat(event).isInstanceOf(WatchEvent.Snapshot.class);
        return (WatchEvent.Snapshot<T>) event;
    }

    T nextChanged() {
        WatchEvent<T> event = next();
        assertThat(event).isInstanceOf(WatchEvent.Changed.class);
        return ((WatchEvent.Changed<T>) event).object();
    }

    boolean isEmpty() {
        return events.isEmpty();
    }
}
