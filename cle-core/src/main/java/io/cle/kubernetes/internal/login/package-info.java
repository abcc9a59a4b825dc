/**
 * The identity of this process for an API server, and the API servers that it trusts.
 *
 * <p>In: the files of a pod's service account, or an {@code ApiClient} of client-java. Out: an interceptor that gives each request the
 * current token, and a client with the current certificate authorities. Must not be here: the search for a cluster, and the meaning of
 * answers.
 */
@NullMarked
package io.cle.kubernetes.internal.login;

import org.jspecify.annotations.NullMarked;
