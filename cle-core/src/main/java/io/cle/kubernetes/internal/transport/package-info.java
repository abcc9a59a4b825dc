/**
 * HTTP requests to an API server, and the interpretation of its responses.
 *
 * <p>In: an {@link io.cle.kubernetes.internal.transport.ApiRequest}. Out: an {@link io.cle.kubernetes.internal.transport.ApiResponse}, or a
 * stream of watch events, as JSON, so that fields that this project does not know are passed through. Must not be here: retries, anything
 * about leases or candidates, and state other than connections. {@link io.cle.kubernetes.KubernetesAccess} and
 * {@code internal.login}, below it, know how to authenticate.
 */
@NullMarked
package io.cle.kubernetes.internal.transport;

import org.jspecify.annotations.NullMarked;
