/**
 * What a lock is configured with, and the words in which it reports: role, term, reason of a revocation, KEP-2835's comparison of keys.
 *
 * <p>The state machines themselves are in {@code io.cle.lock.internal}. What must not be here: anything that changes.
 */
@NullMarked
package io.cle.lock;

import org.jspecify.annotations.NullMarked;
