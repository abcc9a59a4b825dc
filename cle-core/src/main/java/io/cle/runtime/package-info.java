/**
 * The loops, timers and threads that feed the state machines and carry out their actions: the lock of an application and the
 * coordinator of a cluster. Clock, executor and random source are injected, so that all of it also runs in one thread on
 * virtual time.
 */
@NullMarked
package io.cle.runtime;

import org.jspecify.annotations.NullMarked;
