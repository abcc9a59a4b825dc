/**
 * The leases of an application and the lifecycle of their locks within its context. Comes in: the settings of the
 * leases, and the events of the context. Goes out: {@link io.cle.spring.lock.internal.Leases}, with the settings, lock
 * and work of each lease; locks that join when the application is ready, and end, drain and hand over their terms before
 * any bean is stopped; and, if leader election is switched off, locks that never lead. Nothing here sends a request.
 */
@NullMarked
package io.cle.spring.lock.internal;

import org.jspecify.annotations.NullMarked;
