package io.cle.test.apiserver.store;

/** A watch that has begun. */
@FunctionalInterface
public interface OpenWatch extends AutoCloseable {

    /** Ends the watch; nothing is delivered any more. Does nothing the second time. */
    @Override
    void close();
}
