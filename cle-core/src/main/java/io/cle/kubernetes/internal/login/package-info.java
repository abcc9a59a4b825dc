/**
 * The identity of this process for an API server, and the API servers that it trusts, both renewed while it runs.
 *
 * <p>In: files, and the exec plugin in a kubeconfig. Out: an interceptor that gives each request the current credential and certificate
 * authorities. Must not be here: the search for a cluster, and the meaning of answers other than that a credential was refused.
 */
@NullMarked
package io.cle.kubernetes.internal.login;

import org.jspecify.annotations.NullMarked;
