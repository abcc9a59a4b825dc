/**
 * Delivers the events of leadership. Comes in: what the locks report. Goes out: a call of each listener, isolated from the others.
 * No thread of an election may wait here for a listener, except when a lease is held until a revocation has been handled.
 */
@NullMarked
package io.cle.spring.event.internal;

import org.jspecify.annotations.NullMarked;
