/**
 * The clock, the event loop and the back-off of all state machines.
 *
 * <p>In: tasks and instants. Out: the same tasks, one at a time. Must not be here: any knowledge of
 * leases, candidates or requests.
 */
@NullMarked
package io.cle.loop.internal;

import org.jspecify.annotations.NullMarked;
