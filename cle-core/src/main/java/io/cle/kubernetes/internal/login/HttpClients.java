package io.cle.kubernetes.internal.login;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;

import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.X509TrustManager;

import okhttp3.ConnectionSpec;
import okhttp3.OkHttpClient;

/**
 * HTTP clients of API servers. client-java's {@code ClientBuilder} isn't used: each {@code ApiClient} registers all of Kubernetes' types,
 * of which leader election needs none, and reads the certificate authorities of the JVM. Both take some tenths of a second of an
 * application's start.
 */
public final class HttpClients {

    /** As client-java has it. */
    private static final Duration PING_INTERVAL = Duration.ofMinutes(1);

    private HttpClients() {}

    /** Returns the builder of a client without a read timeout, because watches are silent while nothing happens. */
    public static OkHttpClient.Builder of(String address) {
        OkHttpClient.Builder client =
                new OkHttpClient.Builder().readTimeout(Duration.ZERO).pingInterval(PING_INTERVAL);
        return address.startsWith("http:") ? client.connectionSpecs(List.of(ConnectionSpec.CLEARTEXT)) : client;
    }

    /** Has a client accept any certificate, as {@code insecure-skip-tls-verify} asks for. */
    public static void trustEverybody(OkHttpClient.Builder client) {
        X509TrustManager everybody = new Everybody();
        client.sslSocketFactory(Login.factoryFor(null, everybody), everybody).hostnameVerifier((host, session) -> true);
    }

    /** Returns a client that expects another name in a server's certificate than the address has. */
    public static OkHttpClient expecting(String name, OkHttpClient client) {
        HostnameVerifier verifier = client.hostnameVerifier();
        return client.newBuilder()
                .hostnameVerifier((host, session) -> verifier.verify(name, session))
                .build();
    }

    private static final class Everybody implements X509TrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
