package io.cle.samples.upgrade;

import java.util.Map;
import java.util.TreeMap;

/**
 * Represents the outside world that leaders change: a store that takes a fencing token with each write, and refuses one from a term
 * that is over. Thread-safe.
 */
final class Ledger {

    private final Map<Long, Long> writesByToken = new TreeMap<>();
    private long highest = Long.MIN_VALUE;
    private long refused;

    /** Writes something; false if a write with a higher token came first. */
    synchronized boolean write(long token) {
        if (token < highest) {
            refused++;
            return false;
        }
        highest = token;
        writesByToken.merge(token, 1L, Long::sum);
        return true;
    }

    /** How many writes there were under a token. */
    synchronized long writes(long token) {
        return writesByToken.getOrDefault(token, 0L);
    }

    /** How many writes there were. */
    synchronized long writes() {
        return writesByToken.values().stream().mapToLong(Long::longValue).sum();
    }

    /** How many writes came too late. */
    synchronized long refused() {
        return refused;
    }
}
