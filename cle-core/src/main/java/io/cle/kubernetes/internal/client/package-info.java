/**
 * The port {@link io.cle.store.internal} on transport, codecs and watches.
 *
 * <p>In: a call of the port. Out: a request and, on the event loop, an {@link io.cle.model.internal.ApiResult}. Must not be here: retries and decisions
 * about who leads; both belong to the callers.
 */
@NullMarked
package io.cle.kubernetes.internal.client;

import org.jspecify.annotations.NullMarked;
