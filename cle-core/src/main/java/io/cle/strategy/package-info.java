/**
 * Ranks candidates: the {@link io.cle.strategy.ElectionStrategy} SPI, the built-in strategies, the total order based on them, and the
 * choice among the strategies that several parties request (protocol.md#which-strategy-applies).
 *
 * <p>Pure: no I/O, no clock, no lock.
 */
@NullMarked
package io.cle.strategy;

import org.jspecify.annotations.NullMarked;
