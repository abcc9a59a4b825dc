/**
 * The clients for leases, for candidates, for Events and for the leader's pod, based on transport, codecs and watches.
 *
 * <p>In: a call. Out: a request and, on the event loop, an {@link io.cle.model.internal.ApiResult}. Must not be here: retries and decisions
 * about who leads; both belong to the callers.
 */
@NullMarked
package io.cle.kubernetes.internal.client;

import org.jspecify.annotations.NullMarked;
