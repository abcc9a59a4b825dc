package io.cle.kubernetes.internal.login;

import org.jspecify.annotations.Nullable;

/**
 * The credential with which a process authenticates to an API server. Compared by identity, so that a renewed credential is a different
 * one.
 *
 * @param token a bearer token; {@code null} for none
 * @param certificate the client certificate for TLS; {@code null} for none
 */
public record Credential(@Nullable String token, @Nullable ClientCertificate certificate) {

    /** Describes the credential without revealing the token. */
    @Override
    public String toString() {
        return "Credential[token " + (token == null ? "none" : "present") + ", certificate " + certificate + "]";
    }
}
