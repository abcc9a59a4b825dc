/**
 * The cluster as the locks of an application use it. Comes in: the checked settings of each lease, and the transport to the API
 * server. Goes out: locks on leases, their wire formats, and a warning about missing rights. Making any of it sends no request; that
 * is for the start of a lock.
 */
@NullMarked
package io.cle.spring.kubernetes.internal;

import org.jspecify.annotations.NullMarked;
