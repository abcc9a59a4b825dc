package io.cle.coordinator.informer;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

import io.cle.api.WatchEvent;
import io.cle.runtime.Clock;

/** Keeps how the observation of one kind goes. Written by the informer's threads, read by any. */
final class KindContact implements SourceListener {

    private final Clock clock;
    private final Runnable whenSynced;
    private final Consumer<WatchEvent.Interrupted<?>> whenInterrupted;
    private volatile Contact contact;

    KindContact(String kind, Clock clock, Runnable whenSynced, Consumer<WatchEvent.Interrupted<?>> whenInterrupted) {
        this.clock = clock;
        this.whenSynced = whenSynced;
        this.whenInterrupted = whenInterrupted;
        this.contact = new Contact(kind, false, clock.wall(), "not listed yet");
    }

    Contact contact() {
        return contact;
    }

    /** All there are have to be seen anew. */
    synchronized void stale() {
        contact = new Contact(contact.kind(), false, clock.wall(), "to be listed anew");
    }

    @Override
    public synchronized void answered() {
        recover();
    }

    @Override
    public synchronized void watching() {
        recover();
    }

    private void recover() {
        if (contact.problem() != null) {
            contact = new Contact(contact.kind(), contact.synced(), clock.wall(), null);
        }
    }

    @Override
    public void synced() {
        synchronized (this) {
            contact = new Contact(contact.kind(), true, contact.since(), contact.problem());
        }
        whenSynced.run();
    }

    @Override
    public void interrupted(String message, Duration retryIn) {
        synchronized (this) {
            Instant since = contact.problem() == null ? clock.wall() : contact.since();
            contact = new Contact(contact.kind(), contact.synced(), since, message);
        }
        whenInterrupted.accept(new WatchEvent.Interrupted<>(message, retryIn));
    }
}
