/**
 * A real kube-apiserver and etcd for tests, started from the directory that {@code KUBEBUILDER_ASSETS} names (and, for
 * Kubernetes' own coordinated leader election, {@code CLE_NATIVE_ASSETS}).
 *
 * <p>The well-known libraries only start and stop a pair of processes. Here, the processes can also be restarted one at
 * a time with their data kept, run without fsync, and end if their JVM is killed. Tests of leader election need this.
 */
@NullMarked
package io.cle.test.apiserver.real;

import org.jspecify.annotations.NullMarked;
