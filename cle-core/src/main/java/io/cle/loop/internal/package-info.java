/**
 * What every machine runs on: a clock, an event loop, and the back-off of whatever is repeated.
 *
 * <p>What comes in: tasks and instants. What goes out: the same tasks, one at a time, on one thread. What must not be here: any knowledge of
 * leases, candidates or requests.
 */
@NullMarked
package io.cle.loop.internal;

import org.jspecify.annotations.NullMarked;
