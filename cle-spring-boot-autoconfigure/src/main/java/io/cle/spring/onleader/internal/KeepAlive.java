package io.cle.spring.onleader.internal;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the process alive while led work waits for its term: all threads of an election are daemons, so that a process without a web server
 * would end before it can be elected. Thread-safe.
 */
final class KeepAlive {

    private @Nullable Thread thread;

    /** Starts a thread that is no daemon, or ends it. */
    synchronized void set(boolean needed) {
        if (needed && thread == null) {
            thread = new Thread(KeepAlive::awaitInterrupt, "cle-keep-alive");
            thread.setDaemon(false);
            thread.start();
        } else if (!needed && thread != null) {
            thread.interrupt();
            thread = null;
        }
    }

    private static void awaitInterrupt() {
        try {
            Thread.sleep(Long.MAX_VALUE);
        } catch (InterruptedException notNeededAnyMore) {
            Thread.currentThread().interrupt();
        }
    }
}
