package io.cle.loop.internal;

import java.util.HashSet;
import java.util.Set;

/** Failures of what is tried again and again: each is new once, until the next success. Not thread-safe. */
public final class RepeatedFailures {

    /** More different ones without a success between them are not new: their texts may differ in ports or times alone. */
    private static final int MOST = 10;

    private final Set<String> known = new HashSet<>();

    /** Whether a failure is new; from now on it isn't. */
    public boolean isNew(String failure) {
        return known.size() < MOST && known.add(failure);
    }

    /** Takes note of a success, and returns whether any failure was new before it. */
    public boolean succeeded() {
        boolean failed = !known.isEmpty();
        known.clear();
        return failed;
    }
}
