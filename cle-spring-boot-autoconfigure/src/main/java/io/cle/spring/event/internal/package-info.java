/** Publishes the events of leadership. Comes in: calls of the locks' listeners. Goes out: events of the application context. */
@NullMarked
package io.cle.spring.event.internal;

import org.jspecify.annotations.NullMarked;
