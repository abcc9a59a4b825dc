/**
 * API servers to test leader election against.
 *
 * <ul>
 *   <li>{@link io.cle.test.apiserver.EmbeddedApiServer}: in memory, over HTTP, up in milliseconds: for tests and laptops.
 *   <li>{@link io.cle.test.apiserver.memory.InMemoryApiServer}: the same without HTTP and threads, for simulations.
 *   <li>{@link io.cle.test.apiserver.real.RealApiServer}: a real kube-apiserver with etcd, where there is one.
 * </ul>
 *
 * <p>They behave like kube-apiserver in all that leader election and {@code kubectl} use. The embedded server and real
 * ones pass the same contract, a suite of this module's tests ({@code ApiServerContract}).
 */
@NullMarked
package io.cle.test.apiserver;

import org.jspecify.annotations.NullMarked;
