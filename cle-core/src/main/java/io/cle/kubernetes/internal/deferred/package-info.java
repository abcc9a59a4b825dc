/**
 * Stores of leases and candidates whose wire format is found out when it is needed, and may change.
 *
 * <p>In: the selection of a format, and the stores of each. Out: a store that can be used at once, and goes on in another format. Must not be
 * here: how a format is chosen, or what it looks like.
 */
@NullMarked
package io.cle.kubernetes.internal.deferred;

import org.jspecify.annotations.NullMarked;
