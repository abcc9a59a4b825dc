package io.cle.test.programmatic;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A load balancer before an API server. Like a real one that fails over, it can drop all traffic on established
 * connections, in both directions and without closing them, while it serves new ones.
 */
final class SilencedProxy implements AutoCloseable {

    private final URI server;
    private final ServerSocket listener;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();

    /** A client's connection, and the corresponding one to the server. */
    private record Link(Socket client, Socket server, AtomicBoolean silent) {}

    SilencedProxy(URI server) {
        this.server = server;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    /** Returns the proxy's URL. */
    String url() {
        return server.getScheme() + "://127.0.0.1:" + listener.getLocalPort();
    }

    /** Returns the number of accepted connections so far. */
    int accepted() {
        return accepted.get();
    }

    /** Drops all further traffic on the connections established so far. */
    void silence() {
        links.forEach(link -> link.silent().set(true));
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                accepted.incrementAndGet();
                Link link = new Link(client, new Socket(server.getHost(), server.getPort()), new AtomicBoolean());
                links.add(link);
                daemon(() -> pump(link.client(), link.server(), link));
                daemon(() -> pump(link.server(), link.client(), link));
            } catch (IOException e) {
                // The proxy was closed, or the server is unreachable.
            }
        }
    }

    private void pump(Socket from, Socket to, Link link) {
        byte[] buffer = new byte[16 * 1024];
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (!link.silent().get()) {
                    out.write(buffer, 0, read);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // One side has closed the connection.
        } finally {
            links.remove(link);
        }
    }

    private static void daemon(Runnable task) {
        Thread thread = new Thread(task, "silenced-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        for (Link link : links) {
            link.client().close();
            link.server().close();
        }
    }
}
