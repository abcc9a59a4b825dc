package io.cle.store.internal;

/**
 * Receives the events of a watch. Called on the store's executor, one event at a time; must not block.
 *
 * @param <T> the kind of object watched
 */
@FunctionalInterface
public interface Watcher<T> {

    /** Handles an event. */
    void onEvent(WatchEvent<T> event);
}
