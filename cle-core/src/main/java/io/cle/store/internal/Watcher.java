package io.cle.store.internal;

/**
 * Receives the events of a watch. Called on the executor of the store, one event after the other; must not block.
 *
 * @param <T> the kind of object watched
 */
@FunctionalInterface
public interface Watcher<T> {

    /** Takes note of an event. */
    void onEvent(WatchEvent<T> event);
}
