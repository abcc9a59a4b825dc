/**
 * Access to the cluster for the locks of an application. Comes in: the checked settings of each lease, and the transport to the API server.
 * Goes out: locks on leases, their wire formats, and a warning about a pod without its identity. Creating these objects sends no request; starting a
 * lock does.
 */
@NullMarked
package io.cle.spring.kubernetes.internal;

import org.jspecify.annotations.NullMarked;
