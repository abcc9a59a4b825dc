/**
 * Which wire format a process uses.
 *
 * <p>In: what the API server serves, and what was set. Out: the kind of candidates to use with its reason, and a call when
 * another one has to be used. Must not be here: reads and writes of leases and candidates.
 */
@NullMarked
package io.cle.kubernetes.internal.discovery;

import org.jspecify.annotations.NullMarked;
