/**
 * The type of the bean that configures an application's Kubernetes cluster. The locks' access to the API server is in
 * {@code io.cle.spring.kubernetes.internal}.
 */
@NullMarked
package io.cle.spring.kubernetes;

import org.jspecify.annotations.NullMarked;
