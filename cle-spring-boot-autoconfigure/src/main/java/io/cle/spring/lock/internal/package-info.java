/**
 * The leases of an application and the life of their locks with its context. Comes in: the settings of the leases, and the events of the
 * context. Goes out: {@link io.cle.spring.lock.internal.Leases}, all that is known of each lease; locks that join when the application is ready,
 * and whose terms have ended, drained and handed over before any bean is stopped; and locks that never lead, if leader election is switched
 * off. Nothing here sends a request.
 */
@NullMarked
package io.cle.spring.lock.internal;

import org.jspecify.annotations.NullMarked;
