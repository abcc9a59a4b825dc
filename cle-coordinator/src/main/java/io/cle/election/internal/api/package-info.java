/**
 * The requests that only a coordinator sends: for lease configurations and their status, the state of pods, Events, and the watches of all
 * namespaces in scope.
 *
 * <p>In: a call. Out: a request and, on the event loop, an {@link io.cle.model.internal.ApiResult} or a {@link io.cle.store.internal.WatchEvent}.
 * Must not be here: retries and decisions about who leads; both belong to {@link io.cle.election.internal}.
 */
@NullMarked
package io.cle.election.internal.api;

import org.jspecify.annotations.NullMarked;
