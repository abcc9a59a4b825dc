package io.cle.runtime.internal.lock;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.cle.runtime.LockSnapshot.HistoryEntry;

/** The last things that happened to a lock. Written by one thread, read by any. */
final class History {

    private static final int LENGTH = 50;

    private volatile List<HistoryEntry> entries = List.of();

    void add(Instant time, String what) {
        List<HistoryEntry> next = new ArrayList<>(entries);
        if (next.size() == LENGTH) {
            next.remove(0);
        }
        next.add(new HistoryEntry(time, what));
        entries = Collections.unmodifiableList(next);
    }

    List<HistoryEntry> entries() {
        return entries;
    }
}
