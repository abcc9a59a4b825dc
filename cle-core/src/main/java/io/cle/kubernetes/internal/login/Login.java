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

import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Adds the current credential to each request of an HTTP client, and has credential and certificate authorities read again if the API
 * server refuses them. As in client-go, a refused request isn't repeated here; its sender retries.
 *
 * <p>{@link #current} returns a client with the current certificate and authorities. OkHttp also distinguishes connections by their TLS
 * settings: after a change, new requests use a new connection, while open watches stay on the old one. Thread-safe.
 */
public final class Login implements Interceptor {

    /** How long to wait for a credential if the client has no timeout. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Credential ANONYMOUS = new Credential(null, null);

    private final @Nullable Renewed<Credential> credential;
    private final @Nullable Renewed<X509TrustManager> authorities;

    /** The trust manager that the client was built with, used if there are no {@link #authorities}. */
    private final @Nullable X509TrustManager clientsTrust;

    private @Nullable Tls tls;

    /** The socket factory for a certificate and a trust manager, kept because OkHttp distinguishes connections by their factory. */
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
     * Returns a client with a login.
     *
     * @param client what else is to be set; modified
     * @param credential the credential; {@code null} for none, or for that of the client's own interceptors
     * @param authorities the trusted authorities; {@code null} for the client's own
     * @throws IOException if the authorities can't be used
     */
    public static OkHttpClient client(
            OkHttpClient.Builder client,
            @Nullable Renewed<Credential> credential,
            @Nullable Renewed<X509TrustManager> authorities)
            throws IOException {
        if (authorities != null) {
            // Otherwise OkHttp would read the authorities of the JVM, which takes some tenths of a second.
            X509TrustManager trust = authorities.get(PATIENCE);
            client.sslSocketFactory(factoryFor(null, trust), trust);
        }
        OkHttpClient built = client.build();
        return credential == null && authorities == null
                ? built
                : built.newBuilder()
                        .addInterceptor(new Login(credential, authorities, built.x509TrustManager()))
                        .build();
    }

    /**
     * Returns a client for the next request: the given one, or one that shares its connections and has the current certificate and
     * authorities of its login. Blocks while they are read.
     *
     * @param patience how long to wait for them
     * @throws IOException if they can't be read
     */
    public static OkHttpClient current(OkHttpClient client, Duration patience) throws IOException {
        for (Interceptor interceptor : client.interceptors()) {
            if (interceptor instanceof Login login) {
                return login.withTls(client, patience);
            }
        }
        return client;
    }

    private OkHttpClient withTls(OkHttpClient client, Duration patience) throws IOException {
        ClientCertificate certificate =
                credential == null ? null : credential.get(patience).certificate();
        X509TrustManager trust = authorities == null ? clientsTrust : authorities.get(patience);
        return trust == null || (certificate == null && trust == clientsTrust)
                ? client
                : client.newBuilder()
                        .sslSocketFactory(factory(certificate, trust), trust)
                        .build();
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
            Response response = chain.proceed(request);
            if (response.code() == HttpURLConnection.HTTP_UNAUTHORIZED && credential != null) {
                credential.doubt(shown);
            }
            return response;
        } catch (IOException e) {
            failed(e, shown, trusted);
            throw e;
        }
    }

    /**
     * Handles a failed request. In TLS 1.3 a server refuses a client certificate only after the client has completed the handshake, so the
     * client may just see a broken connection.
     */
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

    private synchronized SSLSocketFactory factory(@Nullable ClientCertificate certificate, X509TrustManager trust) {
        Tls last = tls;
        if (last != null && Objects.equals(last.certificate(), certificate) && last.trust() == trust) {
            return last.factory();
        }
        SSLSocketFactory factory = factoryFor(certificate, trust);
        tls = new Tls(certificate, trust, factory);
        return factory;
    }

    static SSLSocketFactory factoryFor(@Nullable ClientCertificate certificate, X509TrustManager trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(certificate == null ? null : certificate.keyManagers(), new TrustManager[] {trust}, null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JVM can't do TLS: " + e.getMessage(), e);
        }
    }
}
