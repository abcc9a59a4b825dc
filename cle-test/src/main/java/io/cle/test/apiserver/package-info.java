/**
 * API servers to test leader election against.
 *
 * <ul>
 *   <li>{@link io.cle.test.apiserver.EmbeddedApiServer}: in memory, over HTTP, up in milliseconds: for tests and laptops.
 *   <li>{@link io.cle.test.apiserver.memory.InMemoryApiServer}: the same without HTTP and threads, for simulations.
 *   <li>{@link io.cle.test.apiserver.real.RealApiServer}: a real kube-apiserver with etcd, where there is one.
 * </ul>
 *
 * <p>What they do is what kube-apiserver does, as far as leader election and {@code kubectl} can tell; one contract, a suite of this
 * module's tests ({@code ApiServerContract}), is passed by the embedded server and by real ones.
 */
@NullMarked
package io.cle.test.apiserver;

import org.jspecify.annotations.NullMarked;
