package io.cle.kubernetes.internal.login;

import java.io.IOException;
import java.security.GeneralSecurityException;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Response;

/**
 * Adds a pod's current token to each request of an HTTP client.
 *
 * <p>{@link #current} returns a client with the current authorities. OkHttp also distinguishes connections by their TLS settings: after a
 * change, new requests use a new connection, while open watches stay on the old one. Thread-safe.
 */
public final class Login implements Interceptor {

    private final RenewedFile<String> token;
    private final RenewedFile<X509TrustManager> authorities;

    /** The authorities that the socket factory was made for. OkHttp distinguishes connections by their factory. */
    private X509TrustManager trust;

    private SSLSocketFactory sockets;

    private Login(RenewedFile<String> token, RenewedFile<X509TrustManager> authorities) {
        this.token = token;
        this.authorities = authorities;
        trust = authorities.get();
        sockets = socketsFor(trust);
    }

    /**
     * Returns a client with a login.
     *
     * @param client the other settings; modified
     */
    public static OkHttpClient client(
            OkHttpClient.Builder client, RenewedFile<String> token, RenewedFile<X509TrustManager> authorities) {
        Login login = new Login(token, authorities);
        // The first settings are the client's own. Otherwise OkHttp would read the authorities of the JVM, which takes
        // some tenths of a second.
        return client.sslSocketFactory(login.sockets, login.trust)
                .addInterceptor(login)
                .build();
    }

    /**
     * Returns a client for the next request: the given one, or one that shares its connections and has the current authorities of its
     * login.
     */
    public static OkHttpClient current(OkHttpClient client) {
        for (Interceptor interceptor : client.interceptors()) {
            if (interceptor instanceof Login login) {
                return login.withTls(client);
            }
        }
        return client;
    }

    private synchronized OkHttpClient withTls(OkHttpClient client) {
        X509TrustManager trusted = authorities.get();
        if (trusted != trust) {
            sockets = socketsFor(trusted);
            trust = trusted;
        }
        return client.x509TrustManager() == trust
                ? client
                : client.newBuilder().sslSocketFactory(sockets, trust).build();
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        return chain.proceed(chain.request()
                .newBuilder()
                .header("Authorization", "Bearer " + token.get())
                .build());
    }

    private static SSLSocketFactory socketsFor(X509TrustManager trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {trust}, null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the JVM doesn't support TLS: " + e.getMessage(), e);
        }
    }
}
