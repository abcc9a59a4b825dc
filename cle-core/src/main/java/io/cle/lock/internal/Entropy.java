package io.cle.lock.internal;

import java.security.SecureRandom;
import java.util.Locale;

/**
 * What distinguishes a process from copies of itself ({@code safety.md#own-record}). Must not be computed from what a copy has in its memory, too.
 * Thread-safe.
 */
public interface Entropy {

    /** Another nonce: letters and digits, and at no time the same in two processes. */
    String nonce();

    /** A number that no copy of this process draws. */
    long number();

    /** The operating system's. */
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
