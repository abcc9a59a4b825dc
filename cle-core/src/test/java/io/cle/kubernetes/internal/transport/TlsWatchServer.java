package io.cle.kubernetes.internal.transport;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

import com.github.tomakehurst.wiremock.WireMockServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TLS server with just enough HTTP/1.1 or HTTP/2 to open one watch at once and to deliver an event when the test asks
 * for it. Ready-made servers send their headers only with the first piece of the body.
 */
final class TlsWatchServer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(TlsWatchServer.class);
    private static final String EVENT = "{\"type\": \"BOOKMARK\"}\n";
    private static final String HTTP_2_PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int SETTINGS = 4;
    private static final int END_HEADERS = 4;
    private static final byte STATUS_200 = (byte) 0x88;

    private final SSLServerSocket socket;
    private final CountDownLatch opened = new CountDownLatch(1);
    private final CountDownLatch told = new CountDownLatch(1);

    TlsWatchServer(boolean http2) throws IOException, GeneralSecurityException {
        socket = (SSLServerSocket)
                sslContext().getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {http2 ? "h2" : "http/1.1"});
        socket.setSSLParameters(parameters);
        Thread thread = new Thread(() -> serve(http2), "tls-watch-server");
        thread.setDaemon(true);
        thread.start();
    }

    /** Returns a context with WireMock's certificate. */
    private static SSLContext sslContext() throws IOException, GeneralSecurityException {
        char[] password = "password".toCharArray();
        KeyStore keys = KeyStore.getInstance("JKS");
        try (InputStream file = WireMockServer.class.getResourceAsStream("/keystore")) {
            keys.load(file, password);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    String url() {
        return "https://127.0.0.1:" + socket.getLocalPort();
    }

    /** Waits until the headers of a watch were sent. */
    void awaitOpened() throws InterruptedException {
        if (!opened.await(20, TimeUnit.SECONDS)) {
            throw new AssertionError("no watch was opened");
        }
    }

    /** Delivers an event. */
    void tell() {
        told.countDown();
    }

    private void serve(boolean http2) {
        try (SSLSocket client = (SSLSocket) socket.accept()) {
            DataInputStream in = new DataInputStream(client.getInputStream());
            DataOutputStream out = new DataOutputStream(client.getOutputStream());
            if (http2) {
                serveHttp2(in, out);
            } else {
                serveHttp1(in, out);
            }
            in.readAllBytes();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            log.debug("the client, or the test, has ended", e);
        }
    }

    private void serveHttp1(DataInputStream in, DataOutputStream out) throws IOException, InterruptedException {
        StringBuilder request = new StringBuilder();
        while (!request.toString().endsWith("\r\n\r\n")) {
            request.append((char) in.readUnsignedByte());
        }
        write(out, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        opened.countDown();
        told.await();
        write(out, (Integer.toHexString(EVENT.length()) + "\r\n" + EVENT + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    private void serveHttp2(DataInputStream in, DataOutputStream out) throws IOException, InterruptedException {
        in.readFully(new byte[HTTP_2_PREFACE.length()]);
        frame(out, SETTINGS, 0, 0);
        int stream = streamOfRequest(in);
        frame(out, HEADERS, END_HEADERS, stream, STATUS_200);
        opened.countDown();
        told.await();
        frame(out, DATA, 0, stream, EVENT.getBytes(StandardCharsets.US_ASCII));
    }

    private static int streamOfRequest(DataInputStream in) throws IOException {
        while (true) {
            int lengthAndType = in.readInt();
            in.readUnsignedByte();
            int stream = in.readInt();
            in.readFully(new byte[lengthAndType >>> 8]);
            if ((lengthAndType & 0xff) == HEADERS) {
                return stream;
            }
        }
    }

    private static void frame(DataOutputStream out, int type, int flags, int stream, byte... payload)
            throws IOException {
        out.writeInt(payload.length << 8 | type);
        out.writeByte(flags);
        out.writeInt(stream);
        write(out, payload);
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    @Override
    public void close() throws IOException {
        told.countDown();
        socket.close();
    }
}
