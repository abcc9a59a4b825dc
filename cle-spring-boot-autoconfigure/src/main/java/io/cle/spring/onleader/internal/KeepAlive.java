package io.cle.spring.onleader.internal;

import java.util.concurrent.CountDownLatch;

import org.jspecify.annotations.Nullable;

/**
 * Keeps the process alive while led work waits for its term: all threads of an election are daemons, so that a process without a web server
 * would end before it can be elected. Thread-safe.
 */
final class KeepAlive {

    private @Nullable CountDownLatch end;

    /** Starts a thread that is no daemon, or ends it. */
    synchronized void set(boolean needed) {
        CountDownLatch current = end;
        if (needed && current == null) {
            CountDownLatch ends = new CountDownLatch(1);
            Thread thread = new Thread(() -> await(ends), "cle-keep-alive");
            thread.setDaemon(false);
            thread.start();
            end = ends;
        } else if (!needed && current != null) {
            current.countDown();
            end = null;
        }
    }

    private static void await(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
