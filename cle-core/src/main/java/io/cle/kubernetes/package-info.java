/**
 * The port {@link io.cle.api} on the official Kubernetes client.
 *
 * <p>In: where the cluster is ({@link io.cle.kubernetes.KubernetesAccess}), an event loop and a random source. Out: the stores of every wire format
 * ({@link io.cle.kubernetes.KubernetesApis}). Must not be here: anything that sends, decodes or decides itself.
 *
 * <p>The rooms below, from the bottom up, each of which knows those before it only: {@code internal.json}, {@code transport},
 * {@code internal.codec}, {@code internal.watch}, {@code internal.store} and {@code discovery}, this facade, {@code access}. Everything above
 * the transport is deterministic, given the transport, the event loop and the random source. What is in {@code internal} packages is not for
 * users and may change at any time.
 */
@NullMarked
package io.cle.kubernetes;

import org.jspecify.annotations.NullMarked;
