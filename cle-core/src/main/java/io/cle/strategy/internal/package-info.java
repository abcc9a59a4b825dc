/**
 * The choice of a lease's strategy, and the order of its candidates under it. Pure.
 *
 * <p>What comes in: the lease, its candidates and what is configured. What goes out: one strategy, or why there is none. What must not be here:
 * a strategy; those are in {@link io.cle.strategy}.
 */
@NullMarked
package io.cle.strategy.internal;

import org.jspecify.annotations.NullMarked;
