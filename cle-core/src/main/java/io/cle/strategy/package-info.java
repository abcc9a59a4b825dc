/**
 * Which candidate is the best: the {@link io.cle.strategy.ElectionStrategy} SPI, the built-in strategies, the total order
 * made of them, and how the strategies that several parties ask for are reconciled (safety.md#strategy-precedence).
 *
 * <p>Pure: no I/O, no clock, no lock.
 */
@NullMarked
package io.cle.strategy;

import org.jspecify.annotations.NullMarked;
