/**
 * The strategies by name, and the order of a lease's candidates under a strategy. Pure.
 *
 * <p>Must not be here: a strategy; those are in {@link io.cle.strategy}. Which strategy applies to a lease is the coordinator's decision.
 */
@NullMarked
package io.cle.strategy.internal;

import org.jspecify.annotations.NullMarked;
