/**
 * Calls that pass only while this process leads. Comes in: a call of a guarded method, whatever triggers it. Goes out: the call within
 * a run of its term, or nothing. Interrupts only threads that work for that call alone.
 */
@NullMarked
package io.cle.spring.onleader.internal.guard;

import org.jspecify.annotations.NullMarked;
