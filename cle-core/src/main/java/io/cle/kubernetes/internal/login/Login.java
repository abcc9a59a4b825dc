package io.cle.kubernetes.internal.login;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Objects;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

import io.cle.kubernetes.internal.transport.TimedHandshakes;
import io.kubernetes.client.openapi.ApiClient;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Gives each request of an API client the credential and the trust that are in force when it is sent, and has them read again if the API server
 * refuses them. As in client-go, the request that was refused isn't repeated: its sender does that.
 *
 * <p>OkHttp distinguishes connections by their TLS settings, too. So a new certificate or authority makes requests go on on a new connection, on which it is
 * shown, while a watch stays on its own; nothing is cut. Thread-safe.
 */
public final class Login implements Interceptor {

    /** For clients without a time-out. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Credential ANONYMOUS = new Credential(null, null);

    private final @Nullable Renewed<Credential> credential;
    private final @Nullable Renewed<X509TrustManager> authorities;

    /** What the client trusts if there are no {@link #authorities}. */
    private final @Nullable X509TrustManager clientsTrust;

    private @Nullable Tls tls;

    /** The sockets of a certificate and a trust, kept because a factory of sockets makes the connections. */
    private record Tls(@Nullable ClientCertificate certificate, X509TrustManager trust, SSLSocketFactory factory) {}

    private Login(
            @Nullable Renewed<Credential> credential,
            @Nullable Renewed<X509TrustManager> authorities,
            @Nullable X509TrustManager clientsTrust) {
        this.credential = credential;
        this.authorities = authorities;
        this.clientsTrust = clientsTrust;
    }

    /**
     * Logs an API client in, with all clients that are made of it.
     *
     * @param credential what to show; {@code null} for nothing, or for what the client shows itself
     * @param authorities whom to trust; {@code null} for whom the client trusts itself
     */
    public static void install(
            ApiClient client,
            @Nullable Renewed<Credential> credential,
            @Nullable Renewed<X509TrustManager> authorities) {
        if (credential != null || authorities != null) {
            OkHttpClient http = client.getHttpClient();
            Login login = new Login(credential, authorities, http.x509TrustManager());
            client.setHttpClient(http.newBuilder().addInterceptor(login).build());
        }
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Duration patience = chain.readTimeoutMillis() == 0 ? PATIENCE : Duration.ofMillis(chain.readTimeoutMillis());
        Credential shown = credential == null ? ANONYMOUS : credential.get(patience);
        X509TrustManager trusted = authorities == null ? clientsTrust : authorities.get(patience);
        Request request = shown.token() == null
                ? chain.request()
                : chain.request()
                        .newBuilder()
                        .header("Authorization", "Bearer " + shown.token())
                        .build();
        try {
            Response response = withTls(chain, shown.certificate(), trusted).proceed(request);
            if (response.code() == HttpURLConnection.HTTP_UNAUTHORIZED && credential != null) {
                credential.doubt(shown);
            }
            return response;
        } catch (IOException e) {
            failed(e, shown, trusted);
            throw e;
        }
    }

    /** In TLS 1.3 a client certificate is refused after the handshake, to the client, and what it then sees may be a connection that breaks. */
    private void failed(IOException failure, Credential shown, @Nullable X509TrustManager trusted) {
        if (credential != null && shown.certificate() != null) {
            if (failure instanceof SSLException) {
                credential.doubt(shown);
            } else {
                credential.suspect(shown);
            }
        }
        if (authorities != null && trusted != null && failure instanceof SSLException) {
            authorities.doubt(trusted);
        }
    }

    private Chain withTls(Chain chain, @Nullable ClientCertificate certificate, @Nullable X509TrustManager trust) {
        return trust == null || (certificate == null && authorities == null)
                ? chain
                : chain.withSslSocketFactory(factory(certificate, trust), trust);
    }

    private synchronized SSLSocketFactory factory(@Nullable ClientCertificate certificate, X509TrustManager trust) {
        Tls last = tls;
        if (last != null && Objects.equals(last.certificate(), certificate) && last.trust() == trust) {
            return last.factory();
        }
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(certificate == null ? null : certificate.keyManagers(), new TrustManager[] {trust}, null);
            SSLSocketFactory factory = new TimedHandshakes(context.getSocketFactory());
            tls = new Tls(certificate, trust, factory);
            return factory;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JVM can't do TLS: " + e.getMessage(), e);
        }
    }
}
