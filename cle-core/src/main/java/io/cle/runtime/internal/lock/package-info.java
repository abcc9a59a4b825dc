/**
 * The locks of a process: they feed {@link io.cle.lock.internal.LockMachine} and {@link io.cle.lock.internal.CandidacyMachine} with what the
 * stores report, send the requests that these ask for, and call listeners.
 *
 * <p>What comes in: watch events, results of requests, timers, and what an application asks for (start, resign, stop). What goes out:
 * requests to the stores, callbacks, log lines. What must not be here: decisions about a term, which are the machines', and client-java.
 */
@NullMarked
package io.cle.runtime.internal.lock;

import org.jspecify.annotations.NullMarked;
