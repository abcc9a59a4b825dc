package io.cle.kubernetes.internal.login;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.jspecify.annotations.Nullable;

/**
 * Answers each request over TLS with an empty object, or with 401 if it doesn't accept the credential, and records who
 * sent it. A watch delivers one event and stays open.
 */
public final class TlsApiServer implements AutoCloseable {

    private static final byte[] EVENT = "{\"type\": \"BOOKMARK\"}\n".getBytes(StandardCharsets.US_ASCII);

    private final List<Seen> requests = new CopyOnWriteArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "tls-api-server");
        thread.setDaemon(true);
        return thread;
    });
    private final HttpsServer server;

    /**
     * A request.
     *
     * @param authorization the header; {@code null} if there was none
     * @param subject the subject of the connection's client certificate; {@code null} without one
     * @param port the client's port, which distinguishes connections
     */
    public record Seen(
            @Nullable String authorization, @Nullable String subject, int port) {}

    /**
     * Starts a server.
     *
     * @param port 0 for a free one
     * @param certificate the server's certificate
     * @param clients the authority that must have signed client certificates; {@code null} if none are required
     */
    public TlsApiServer(int port, HeldCertificate certificate, @Nullable HeldCertificate clients) {
        HandshakeCertificates.Builder builder = new HandshakeCertificates.Builder().heldCertificate(certificate);
        if (clients != null) {
            builder.addTrustedCertificate(clients.certificate());
        }
        try {
            server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setHttpsConfigurator(new Configurator(builder.build().sslContext(), clients != null));
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer((HttpsExchange) exchange));
        server.start();
    }

    /** Creates a certificate authority. */
    public static HeldCertificate authority(String name) {
        return new HeldCertificate.Builder()
                .certificateAuthority(0)
                .commonName(name)
                .build();
    }

    /** Returns the certificate of a server on the loopback interface. */
    public static HeldCertificate server(HeldCertificate authority) {
        return server(authority, "127.0.0.1");
    }

    /** Returns the certificate of a server with the given host name or IP address. */
    public static HeldCertificate server(HeldCertificate authority, String name) {
        return new HeldCertificate.Builder()
                .signedBy(authority)
                .addSubjectAlternativeName(name)
                .build();
    }

    /** Returns the certificate of a client. */
    public static HeldCertificate client(HeldCertificate authority, String name) {
        return new HeldCertificate.Builder()
                .signedBy(authority)
                .commonName(name)
                .build();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public String url() {
        return "https://127.0.0.1:" + port();
    }

    public List<Seen> requests() {
        return requests;
    }

    public Seen last() {
        return requests.get(requests.size() - 1);
    }

    private void answer(HttpsExchange exchange) throws IOException {
        try (exchange) {
            Seen seen = new Seen(
                    exchange.getRequestHeaders().getFirst("Authorization"),
                    subject(exchange),
                    exchange.getRemoteAddress().getPort());
            requests.add(seen);
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, 0);
            if (String.valueOf(exchange.getRequestURI().getQuery()).contains("watch=true")) {
                exchange.getResponseBody().write(EVENT);
                exchange.getResponseBody().flush();
                closed.await();
            } else {
                exchange.getResponseBody().write("{}".getBytes(StandardCharsets.US_ASCII));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static @Nullable String subject(HttpsExchange exchange) {
        try {
            return exchange.getSSLSession().getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException none) {
            return null;
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    private static final class Configurator extends HttpsConfigurator {

        private final boolean needsClientCertificate;

        Configurator(SSLContext context, boolean needsClientCertificate) {
            super(context);
            this.needsClientCertificate = needsClientCertificate;
        }

        @Override
        public void configure(HttpsParameters parameters) {
            SSLParameters tls = getSSLContext().getDefaultSSLParameters();
            tls.setNeedClientAuth(needsClientCertificate);
            parameters.setSSLParameters(tls);
        }
    }

    /** Returns a kubeconfig for a server. */
    public static String kubeconfig(String url, Map<String, String> cluster, String user) {
        StringBuilder entries = new StringBuilder();
        cluster.forEach(
                (name, value) -> entries.append(", ").append(name).append(": ").append(value));
        return """
                apiVersion: v1
                kind: Config
                current-context: here
                clusters: [{name: c, cluster: {server: "%s"%s}}]
                users: [{name: u, user: {%s}}]
                contexts: [{name: here, context: {cluster: c, user: u}}]
                """.formatted(url, entries, user);
    }
}
