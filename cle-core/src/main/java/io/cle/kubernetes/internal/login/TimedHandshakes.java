package io.cle.kubernetes.internal.login;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;

import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.X509TrustManager;

import okhttp3.ConnectionSpec;
import okhttp3.OkHttpClient;

/**
 * Creates TLS sockets whose handshake has the same timeout as connecting. OkHttp regards a connection as established before the handshake,
 * which may then take as long as an answer: in a watch, forever. Load balancers in front of API servers accept connections even if no
 * server is available.
 *
 * <p>OkHttp sets the socket's timeout again after the handshake.
 */
public final class TimedHandshakes extends SSLSocketFactory {

    /** The timeout for connecting and for a stalled TLS handshake. */
    public static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final SSLSocketFactory factory;
    private final int millis;

    /** Wraps another factory. */
    TimedHandshakes(SSLSocketFactory factory) {
        this(factory, TIMEOUT);
    }

    private TimedHandshakes(SSLSocketFactory factory, Duration timeout) {
        this.factory = factory;
        this.millis = Math.toIntExact(timeout.toMillis());
    }

    /** Installs this factory in a client, unless it doesn't use TLS. */
    public static void install(OkHttpClient.Builder builder, OkHttpClient client, Duration timeout) {
        X509TrustManager trust = client.x509TrustManager();
        if (trust != null && client.connectionSpecs().stream().anyMatch(ConnectionSpec::isTls)) {
            builder.sslSocketFactory(new TimedHandshakes(client.sslSocketFactory(), timeout), trust);
        }
    }

    @Override
    public Socket createSocket(Socket connected, String host, int port, boolean autoClose) throws IOException {
        connected.setSoTimeout(millis);
        return factory.createSocket(connected, host, port, autoClose);
    }

    @Override
    public Socket createSocket() throws IOException {
        return timed(factory.createSocket());
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return timed(factory.createSocket(host, port));
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
        return timed(factory.createSocket(host, port, localHost, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return timed(factory.createSocket(host, port));
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
            throws IOException {
        return timed(factory.createSocket(address, port, localAddress, localPort));
    }

    private Socket timed(Socket socket) throws IOException {
        socket.setSoTimeout(millis);
        return socket;
    }

    @Override
    public String[] getDefaultCipherSuites() {
        return factory.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
        return factory.getSupportedCipherSuites();
    }
}
