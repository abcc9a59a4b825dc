package io.cle;

/** Removes a listener from its lock when it is closed. Thread-safe. */
public interface Registration extends AutoCloseable {

    /** Removes the listener. A call in progress continues. Closing again has no effect. */
    @Override
    void close();
}
