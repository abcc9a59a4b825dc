/**
 * Leadership that comes from a Kubernetes cluster: the auto-configuration, and the beans by which an application says where the
 * cluster is and which key it has on direct locks. How the locks reach the API server is in {@link io.cle.spring.kubernetes.internal}.
 */
@NullMarked
package io.cle.spring.kubernetes;

import org.jspecify.annotations.NullMarked;
