package io.cle.runtime;

import java.time.Instant;

import io.cle.runtime.LockSnapshot.Contact;

/** Whether the API server answers. Written by one thread, read by any. */
final class ContactTracker {

    private volatile Contact contact;

    ContactTracker(Instant now) {
        contact = new Contact(false, now, "no answer yet");
    }

    /** Takes note of an answer; true when that is news. */
    boolean answered(Instant now) {
        if (contact.ok()) {
            return false;
        }
        contact = new Contact(true, now, null);
        return true;
    }

    /** Takes note of a failure; true when that is news. */
    boolean failed(Instant now, String problem) {
        Contact before = contact;
        contact = new Contact(false, before.ok() ? now : before.since(), problem);
        return before.ok();
    }

    Contact contact() {
        return contact;
    }
}
