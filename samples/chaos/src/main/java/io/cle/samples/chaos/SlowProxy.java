package io.cle.samples.chaos;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stands between one process and the API server, on loopback, and can cut, stall, slow and strand its connections. Thread-safe. */
final class SlowProxy implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SlowProxy.class);

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile Duration delay = Duration.ZERO;
    private volatile boolean stalled;
    private volatile boolean refusing;
    private volatile boolean leadingNowhere;
    private volatile boolean closed;

    SlowProxy(int target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Breaks all connections; new ones can be made. */
    void cut() {
        open.forEach(SlowProxy::closeQuietly);
    }

    /** Breaks all connections and refuses new ones, or no more. */
    void refuse(boolean yes) {
        refusing = yes;
        if (yes) {
            cut();
        }
    }

    /** Lets nothing through, without a word to either side, or no more. */
    void stall(boolean yes) {
        stalled = yes;
    }

    /** Breaks all connections and accepts new ones without ever doing anything with them, or no more. */
    void leadNowhere(boolean yes) {
        leadingNowhere = yes;
        if (yes) {
            cut();
        }
    }

    /** Holds every piece back for a while. */
    void delay(Duration time) {
        delay = time;
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = server.accept();
                if (refusing) {
                    client.close();
                    continue;
                }
                open.add(client);
                if (!leadingNowhere) {
                    connect(client);
                }
            } catch (IOException e) {
                log.debug("a connection could not be made", e);
                pause(Duration.ofMillis(20));
            }
        }
    }

    private void connect(Socket client) {
        try {
            Socket upstream = new Socket(InetAddress.getLoopbackAddress(), target);
            open.add(upstream);
            start("up", () -> pump(client, upstream));
            start("down", () -> pump(upstream, client));
        } catch (IOException e) {
            log.trace("there is no API server", e);
            open.remove(client);
            closeQuietly(client);
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[16 * 1024];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                pause(delay);
                while (stalled && !closed) {
                    pause(Duration.ofMillis(20));
                }
                out.write(buffer, 0, n);
                out.flush();
            }
        } catch (IOException e) {
            log.trace("a connection has ended", e);
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static void pause(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, "proxy-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            log.trace("a connection was closed already", e);
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        server.close();
        cut();
    }
}
