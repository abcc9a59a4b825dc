/**
 * Access to a cluster by the official Kubernetes client: {@link io.cle.kubernetes.KubernetesAccess}.
 *
 * <p>Input: the address of a cluster and credentials. Output: an API client. Must not be here: code that sends requests, decodes objects or
 * makes decisions.
 *
 * <p>The packages in {@code internal} from bottom to top, each of which depends only on those before it: {@code json}, {@code transport},
 * {@code login}, {@code codec}, {@code watch}, {@code client} and {@code discovery}, this package, {@code access}. Everything above the
 * transport is deterministic, given the transport, the event loop and the random source.
 */
@NullMarked
package io.cle.kubernetes;

import org.jspecify.annotations.NullMarked;
