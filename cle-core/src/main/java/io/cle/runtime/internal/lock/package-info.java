/**
 * The locks of a process. {@code LeaseLock} runs {@link io.cle.lock.internal.LockMachine}, {@code LockCandidacy} runs
 * {@link io.cle.lock.internal.CandidacyMachine}: both feed their machine with what the watch shows, and carry out its actions with a
 * {@code MachineRunner}. {@code LockListeners} calls listeners, {@code LockJournal} logs and reports.
 *
 * <p>What comes in: watch events, results of requests, timers, and what an application asks for (start, resign, stop). What goes out:
 * requests to the stores, callbacks, log lines. What must not be here: decisions about a term, which are the machines', and client-java.
 */
@NullMarked
package io.cle.runtime.internal.lock;

import org.jspecify.annotations.NullMarked;
