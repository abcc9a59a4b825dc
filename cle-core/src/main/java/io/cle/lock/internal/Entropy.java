package io.cle.lock.internal;

import java.security.SecureRandom;
import java.util.Locale;

/**
 * Random values that distinguish a process from its clones ({@code safety.md#own-record}). Must not depend on memory that a clone shares.
 * Thread-safe.
 */
public interface Entropy {

    /** Returns a new nonce: letters and digits, never the same in two processes. */
    String nonce();

    /** Returns a random number that no clone of this process returns. */
    long number();

    /** Returns the operating system's random values. */
    static Entropy system() {
        SecureRandom random = new SecureRandom();
        return new Entropy() {
            @Override
            public String nonce() {
                return String.format(Locale.ROOT, "%016x%016x", random.nextLong(), random.nextLong());
            }

            @Override
            public long number() {
                return random.nextLong();
            }
        };
    }
}
