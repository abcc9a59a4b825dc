package io.cle.model;

import java.util.Objects;

/**
 * What a process leaves on the lease with the write that begins its term, so that the term can be told from others.
 *
 * <p>A lease that names a holder without that holder's mark has only been granted: nobody leads by it yet (lock's rule 1).
 * And a process that was restarted under the same name sees that a term isn't its own.
 *
 * @param holder the holder who wrote it
 * @param nonce what tells two processes of the same name apart; new for every start of a process
 */
public record TermMark(String holder, String nonce) {

    /** Refuses an empty nonce, which could tell nothing apart. */
    public TermMark {
        Objects.requireNonNull(holder, "holder");
        if (nonce.isEmpty() || nonce.indexOf('/') >= 0) {
            throw new IllegalArgumentException("a term's nonce must be non-empty and without '/': '" + nonce + "'");
        }
    }
}
