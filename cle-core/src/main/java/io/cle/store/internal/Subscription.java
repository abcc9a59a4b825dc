package io.cle.store.internal;

/** A running watch. */
public interface Subscription extends AutoCloseable {

    /** Ends the watch; no event is delivered afterwards. Idempotent, thread-safe, doesn't wait. */
    @Override
    void close();
}
