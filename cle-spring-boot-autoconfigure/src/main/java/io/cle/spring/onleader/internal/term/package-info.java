/**
 * One run of led work and its term. Comes in: the lock, and the calls and threads of a run. Goes out: whether the term still lasts,
 * and the interrupts and cancellations when it has ended. Knows no beans and no proxies.
 */
@NullMarked
package io.cle.spring.onleader.internal.term;

import org.jspecify.annotations.NullMarked;
