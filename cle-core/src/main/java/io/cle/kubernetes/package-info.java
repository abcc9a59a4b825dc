/**
 * Access to a cluster by the official Kubernetes client: {@link io.cle.kubernetes.KubernetesAccess}.
 *
 * <p>What comes in: where the cluster is and who asks. What goes out: a transport, for the port {@link io.cle.store.internal} that {@code internal.store} implements.
 * What must not be here: anything that sends, decodes or decides itself.
 *
 * <p>The rooms in {@code internal}, from the bottom up, each of which knows only those before it: {@code json}, {@code transport}, {@code login}, {@code codec},
 * {@code watch}, {@code store} and {@code discovery}, this package, {@code access}. Everything above the transport is deterministic, given the transport, the event loop
 * and the random source.
 */
@NullMarked
package io.cle.kubernetes;

import org.jspecify.annotations.NullMarked;
