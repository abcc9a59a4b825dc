package io.cle.kubernetes.internal.login;

import java.io.IOException;
import java.util.Map;

import io.cle.loop.internal.Clock;
import io.kubernetes.client.util.KubeConfig;
import org.jspecify.annotations.Nullable;

/** The token of a kubeconfig's {@code auth-provider}, the predecessor of exec plugins: client-java supports those of Google and OpenID Connect. */
public final class AuthProvider implements Renewed.Source<Credential> {

    private final KubeConfig config;
    private @Nullable Credential last;

    private AuthProvider(KubeConfig config) {
        this.config = config;
    }

    /** Returns the token of the current user's provider. Nothing else may call {@link KubeConfig#getCredentials()} afterwards. */
    public static Renewed<Credential> credential(KubeConfig config, String kubeconfig, Clock clock) {
        return Renewed.inBackground(
                "the auth-provider of the kubeconfig " + kubeconfig, new AuthProvider(config), clock);
    }

    @Override
    public Renewed.Fresh<Credential> read() throws IOException {
        Map<String, String> credentials = config.getCredentials();
        String token = credentials == null ? null : credentials.get(KubeConfig.CRED_TOKEN_KEY);
        if (token == null) {
            throw new IOException("it returns no token, or client-java doesn't know it; use an exec plugin instead");
        }
        Credential credential = last;
        if (credential == null || !token.equals(credential.token())) {
            credential = new Credential(token, null);
            last = credential;
        }
        return new Renewed.Fresh<>(credential, CredentialFiles.AGE, null);
    }
}
