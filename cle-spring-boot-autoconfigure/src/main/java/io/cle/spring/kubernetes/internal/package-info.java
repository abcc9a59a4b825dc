/**
 * Access to the cluster for the locks of an application. Comes in: the checked settings of each lease, and the transport to the API server.
 * Goes out: locks on leases, and their wire formats. Creating these objects sends no request; starting a lock does.
 */
@NullMarked
package io.cle.spring.kubernetes.internal;

import org.jspecify.annotations.NullMarked;
