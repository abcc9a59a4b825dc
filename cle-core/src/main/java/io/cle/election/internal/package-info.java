/**
 * The coordinator's decisions as one function: what is known of a lease and its candidates, and the time, to what the coordinator does about it, with
 * the reason. Every rule of {@code docs/safety.md} about elections is decided here.
 *
 * <p>What comes in: observations and the time. What goes out: a decision. What must not be here: I/O, clocks, locks, logging;
 * {@code io.cle.runtime.internal.coordinator} observes and carries out.
 */
@NullMarked
package io.cle.election.internal;

import org.jspecify.annotations.NullMarked;
