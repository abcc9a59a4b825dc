package io.cle.runtime.internal.lock;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.cle.LockSnapshot.HistoryEntry;

/** The last things that happened to a lock. Thread-safe. */
final class History {

    private static final int LENGTH = 50;

    private final Deque<HistoryEntry> entries = new ArrayDeque<>(LENGTH);

    synchronized void add(Instant time, String what) {
        if (entries.size() == LENGTH) {
            entries.removeFirst();
        }
        entries.addLast(new HistoryEntry(time, what));
    }

    synchronized List<HistoryEntry> entries() {
        return List.copyOf(entries);
    }
}
