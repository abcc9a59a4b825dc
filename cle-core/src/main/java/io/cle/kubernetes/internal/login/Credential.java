package io.cle.kubernetes.internal.login;

import org.jspecify.annotations.Nullable;

/**
 * What a process shows an API server. Compared by identity, so that a renewed one is another one.
 *
 * @param token a bearer token; {@code null} for none
 * @param certificate for the TLS handshake; {@code null} for none
 */
public record Credential(@Nullable String token, @Nullable ClientCertificate certificate) {

    /** Says nothing of the token. */
    @Override
    public String toString() {
        return "Credential[token " + (token == null ? "none" : "present") + ", certificate " + certificate + "]";
    }
}
