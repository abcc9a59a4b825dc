/**
 * What kube-apiserver's own controller does where it coordinates: the feature gate {@code CoordinatedLeaderElection}, as seen
 * in Kubernetes 1.36.
 */
@NullMarked
package io.cle.test.apiserver.elections;

import org.jspecify.annotations.NullMarked;
