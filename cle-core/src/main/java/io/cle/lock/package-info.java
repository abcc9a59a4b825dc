/**
 * The candidate's and the leader's state machines: {@code step(state, event) -> state + actions}.
 *
 * <p>Pure: no I/O, no clock, no lock, no logging. {@link io.cle.runtime} feeds the machines and carries out their actions.
 */
@NullMarked
package io.cle.lock;

import org.jspecify.annotations.NullMarked;
