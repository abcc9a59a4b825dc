/**
 * The life of the locks with the application context. Comes in: the settings of the leases, and the events of the context. Goes
 * out: locks that join when the application is ready to work, and whose terms have ended, drained and handed over, before any bean
 * is stopped; and locks that never lead, if leader election is switched off. Nothing here knows of Kubernetes.
 */
@NullMarked
package io.cle.spring.lock.internal;

import org.jspecify.annotations.NullMarked;
