/**
 * Access to a cluster: {@link io.cle.kubernetes.KubernetesAccess}. The official Kubernetes client reads kubeconfigs.
 *
 * <p>Input: the address of a cluster and credentials. Output: an HTTP client that authenticates by itself. Must not be here: code that sends
 * requests, decodes objects or makes decisions.
 *
 * <p>The packages in {@code internal} from bottom to top, each of which depends only on those before it: {@code json}, {@code login}, this
 * package, {@code transport}, {@code codec}, {@code watch}, {@code client} and {@code discovery}, {@code access}. Everything above the
 * transport is deterministic, given the transport, the event loop and the random source.
 */
@NullMarked
package io.cle.kubernetes;

import org.jspecify.annotations.NullMarked;
