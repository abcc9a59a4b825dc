/**
 * The choice of the wire format that a process uses.
 *
 * <p>In: what the API server serves, and the configured format. Out: the kind of candidates to use, the reason, and a callback when another
 * one has to be used. Must not be here: reads and writes of leases and candidates.
 */
@NullMarked
package io.cle.kubernetes.internal.discovery;

import org.jspecify.annotations.NullMarked;
