/**
 * Lists and watches.
 *
 * <p>In: a codec, a scope and the transport. Out: {@link io.cle.store.internal.WatchEvent}s on the event loop, in the order of their resource
 * versions. Must not be here: writes, and decisions about who leads.
 */
@NullMarked
package io.cle.kubernetes.internal.watch;

import org.jspecify.annotations.NullMarked;
