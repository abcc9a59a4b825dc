/**
 * The port {@link io.cle.api} on the official Kubernetes client, one codec per wire format; the only package that imports
 * the client.
 *
 * <p>From the bottom up: {@link io.cle.kubernetes.KubernetesTransport} is a door to an API server that passes JSON through,
 * so that fields nobody here knows of break nothing. On it stand the reflector (list, then watch, for ever), the codecs
 * (JSON to model and back, pure) and the stores made of them. Everything above the transport is deterministic, given the
 * transport, the event loop and the random source. {@link io.cle.kubernetes.KubernetesAccess} finds the cluster,
 * {@link io.cle.kubernetes.KubernetesApis} makes the stores.
 */
@NullMarked
package io.cle.kubernetes;

import org.jspecify.annotations.NullMarked;
