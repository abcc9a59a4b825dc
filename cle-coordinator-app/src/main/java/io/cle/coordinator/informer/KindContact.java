package io.cle.coordinator.informer;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

import io.cle.api.WatchEvent;
import io.cle.runtime.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps how the observation of one kind goes. Written by the informer's threads, read by any. */
final class KindContact implements SourceListener {

    private static final Logger log = LoggerFactory.getLogger(KindContact.class);

    private final Clock clock;
    private final Runnable whenSynced;
    private final Consumer<WatchEvent.Interrupted<?>> whenInterrupted;
    private volatile Contact contact;

    KindContact(String kind, Clock clock, Runnable whenSynced, Consumer<WatchEvent.Interrupted<?>> whenInterrupted) {
        this.clock = clock;
        this.whenSynced = whenSynced;
        this.whenInterrupted = whenInterrupted;
        this.contact = new Contact(kind, false, clock.wall(), "not listed yet", null);
    }

    Contact contact() {
        return contact;
    }

    /** All there are have to be seen anew. */
    synchronized void stale() {
        contact = new Contact(contact.kind(), false, clock.wall(), "to be listed anew", null);
    }

    @Override
    public synchronized void answered() {
        recover();
        if (contact.absence() != null) {
            log.info("{}: the API server serves them now", contact.kind());
            contact = new Contact(contact.kind(), contact.synced(), clock.wall(), null, null);
        }
    }

    @Override
    public synchronized void absent(String message) {
        if (!message.equals(contact.absence())) {
            log.warn("{}: there are none: {}", contact.kind(), message);
            contact = new Contact(contact.kind(), contact.synced(), clock.wall(), null, message);
        }
    }

    @Override
    public synchronized void watching() {
        recover();
    }

    private void recover() {
        if (contact.problem() != null) {
            contact = new Contact(contact.kind(), contact.synced(), clock.wall(), null, contact.absence());
        }
    }

    @Override
    public void synced() {
        synchronized (this) {
            contact = new Contact(contact.kind(), true, contact.since(), contact.problem(), contact.absence());
        }
        whenSynced.run();
    }

    @Override
    public void interrupted(String message, Duration retryIn) {
        synchronized (this) {
            Instant since = contact.problem() == null ? clock.wall() : contact.since();
            contact = new Contact(contact.kind(), contact.synced(), since, message, contact.absence());
        }
        whenInterrupted.accept(new WatchEvent.Interrupted<>(message, retryIn));
    }
}
