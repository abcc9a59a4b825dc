/**
 * The candidate's and the leader's state machines: {@code step(state, event) -> state + actions}. Every rule of
 * {@code docs/safety.md} about locks is decided here.
 *
 * <p>What comes in: an event and the time. What goes out: the next state, and as actions the requests and callbacks that it asks for;
 * {@code io.cle.runtime.internal.lock} carries them out. What must not be here: I/O, clocks, locks, logging.
 */
@NullMarked
package io.cle.lock.internal;

import org.jspecify.annotations.NullMarked;
