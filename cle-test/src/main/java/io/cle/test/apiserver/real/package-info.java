/**
 * A real kube-apiserver and etcd for tests, started from the directory that {@code KUBEBUILDER_ASSETS} names (and, for
 * Kubernetes' own coordinated leader election, {@code CLE_NATIVE_ASSETS}).
 *
 * <p>The well-known libraries for this start and stop a pair of processes. Ours are also stopped and started one at a time
 * with their data kept, run without fsync, and end when the JVM that started them is killed: leader election is tested by
 * just such things.
 */
@NullMarked
package io.cle.test.apiserver.real;

import org.jspecify.annotations.NullMarked;
