/**
 * Who this process is to an API server, and which API servers it trusts, for as long as it runs.
 *
 * <p>In: files, and what a kubeconfig says of a program. Out: an interceptor that gives each request the credential and the trust that are in force. Must not be
 * here: the search for a cluster, and what an answer means other than that a credential was refused.
 */
@NullMarked
package io.cle.kubernetes.internal.login;

import org.jspecify.annotations.NullMarked;
