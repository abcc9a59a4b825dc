/**
 * The interface to the store of a lease, which is a Lease, a record in an annotation, or the process itself; and the events of a watch.
 *
 * <p>Everything here is asynchronous: no method blocks. Implementations complete stages and call watchers on the event loop that runs the
 * state machines, so that callers need no lock.
 */
@NullMarked
package io.cle.store.internal;

import org.jspecify.annotations.NullMarked;
