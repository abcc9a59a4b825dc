package io.cle.samples.upgrade;

import java.util.Map;
import java.util.TreeMap;

/**
 * Represents the outside world that leaders change: a store that receives a fencing token with each write, and refuses
 * a write if one with a higher token came first. Thread-safe.
 */
final class Ledger {

    private final Map<Long, Long> writesByToken = new TreeMap<>();
    private long highest = Long.MIN_VALUE;
    private long refused;

    /** Writes; returns false if a write with a higher token came first. */
    synchronized boolean write(long token) {
        if (token < highest) {
            refused++;
            return false;
        }
        highest = token;
        writesByToken.merge(token, 1L, Long::sum);
        return true;
    }

    /** Returns the number of writes with a token. */
    synchronized long writes(long token) {
        return writesByToken.getOrDefault(token, 0L);
    }

    /** Returns the number of writes. */
    synchronized long writes() {
        return writesByToken.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns the number of refused writes. */
    synchronized long refused() {
        return refused;
    }
}
