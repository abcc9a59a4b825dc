package io.cle.test.apiserver.store;

/** A running watch. */
@FunctionalInterface
public interface OpenWatch extends AutoCloseable {

    /** Ends the watch; nothing more is delivered. Idempotent. */
    @Override
    void close();
}
