package io.cle.coordinator.informer;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * One answer to a list request, on its way to the coordinator. An informer says that it has synced as soon as its queue is empty,
 * which is before its handlers have heard of everything; this one knows when they have. Thread-safe.
 */
final class Listing {

    private final Runnable delivered;
    private final AtomicInteger awaited = new AtomicInteger(1);

    /**
     * A list that was answered.
     *
     * @param delivered is run when all of its objects were delivered
     */
    Listing(Runnable delivered) {
        this.delivered = delivered;
    }

    /** One more object belongs to it. */
    void add() {
        awaited.incrementAndGet();
    }

    /** All objects that belong to it were added. */
    void complete() {
        delivered();
    }

    /** One of its objects was delivered. */
    void delivered() {
        if (awaited.decrementAndGet() == 0) {
            delivered.run();
        }
    }
}
