package io.cle;

/** A listener that a lock calls, until this is closed. Thread-safe. */
public interface Registration extends AutoCloseable {

    /** Has the listener not called any more; a call that is under way continues. Does nothing the second time. */
    @Override
    void close();
}
