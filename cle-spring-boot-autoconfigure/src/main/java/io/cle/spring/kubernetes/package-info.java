/**
 * Leadership that comes from a Kubernetes cluster: the auto-configuration, and the types of the beans by which an application configures
 * the cluster. How the locks reach the API server is in
 * {@link io.cle.spring.kubernetes.internal}.
 */
@NullMarked
package io.cle.spring.kubernetes;

import org.jspecify.annotations.NullMarked;
