/**
 * The locks of a process, in two halves.
 *
 * <p>The machines are pure: {@link io.cle.lock.internal.LockMachine} and {@link io.cle.lock.internal.CandidacyMachine} take a state, an event and the
 * time, and return the next state with the actions to carry out. Every rule of {@code docs/safety.md} about locks is decided there. No I/O, no clock,
 * no lock and no logging may be in them, nor in the types that they use; ArchUnit checks that class by class.
 *
 * <p>{@code LeaseLock} and {@code LockCandidacy} run them: they feed their machine with watch events, results of requests, timers and calls of the
 * application (start, resign, stop), and carry out its actions. {@code LockListeners} calls listeners, {@code LockJournal} logs and reports. They
 * make no decision about a term, and don't know client-java.
 */
@NullMarked
package io.cle.lock.internal;

import org.jspecify.annotations.NullMarked;
