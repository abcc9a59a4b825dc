/**
 * Leadership that comes from a Kubernetes cluster: the type of the bean by which an application configures the cluster. How the locks
 * reach the API server is in {@code io.cle.spring.kubernetes.internal}.
 */
@NullMarked
package io.cle.spring.kubernetes;

import org.jspecify.annotations.NullMarked;
