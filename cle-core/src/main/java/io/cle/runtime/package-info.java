/**
 * The lock as an application sees it: {@link io.cle.runtime.CoordinatedLeaseLock}, its listeners and its snapshots.
 *
 * <p>What runs it is in {@code io.cle.runtime.internal}: the state machines' event loop and timers ({@code loop}), the locks
 * ({@code lock}), the coordinator ({@code coordinator}). Clock, executor and random source are injected there, so that all of it also runs in
 * one thread on virtual time. Nothing here decides, and nothing here knows an adapter.
 */
@NullMarked
package io.cle.runtime;

import org.jspecify.annotations.NullMarked;
