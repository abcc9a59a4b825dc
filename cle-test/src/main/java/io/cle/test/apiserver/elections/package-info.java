/**
 * kube-apiserver's own election controller (feature gate {@code CoordinatedLeaderElection}), as observed in Kubernetes 1.36.
 */
@NullMarked
package io.cle.test.apiserver.elections;

import org.jspecify.annotations.NullMarked;
