package io.cle.evidence.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TCP proxy on loopback that can cut, stall, slow and strand all connections, or those of one route. Thread-safe.
 *
 * <p>With several backends it is a load balancer: a new connection goes to the first one that accepts it, starting with
 * another one each time. It checks nothing else; a kube-apiserver that accepts connections but is otherwise unusable
 * gets its share.
 */
public final class Proxy implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Proxy.class);

    /** The header in the first request of each connection between etcd members, except connections that only request health or version. */
    private static final Pattern ETCD_ORIGIN = Pattern.compile("(?i)\r\nX-Server-From: ([0-9a-f]+)\r\n");

    /** How the route of a connection is determined. */
    public enum RouteBy {
        /** By its backend; the route's name is the backend's port. */
        BACKEND,
        /** By the etcd member that has opened it; the route's name is the member's ID. */
        ETCD_MEMBER
    }

    private final ServerSocket server;
    private final RouteBy routeBy;
    private final List<Integer> backends;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Set<String> silent = ConcurrentHashMap.newKeySet();
    private int next;
    private volatile Duration delay = Duration.ZERO;
    private volatile boolean stalled;
    private volatile boolean refusing;
    private volatile boolean leadingNowhere;
    private volatile boolean closed;

    public Proxy(RouteBy routeBy, List<Integer> backends) throws IOException {
        this.routeBy = routeBy;
        this.backends = List.copyOf(backends);
        this.server = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    public int port() {
        return server.getLocalPort();
    }

    /** Closes all connections; new ones are accepted. */
    public void cut() {
        open.forEach(Proxy::closeQuietly);
    }

    /** Closes all connections and refuses new ones, or stops refusing them. */
    public void refuse(boolean yes) {
        refusing = yes;
        if (yes) {
            cut();
        }
    }

    /** Starts or stops silently holding back all traffic. */
    public void stall(boolean yes) {
        stalled = yes;
    }

    /**
     * Starts or stops silently holding back the traffic of one route: a partition. A backend whose route is silent gets
     * no new connections if there is another one. While any route is silent, so are connections whose route isn't known.
     */
    public void silence(String route, boolean yes) {
        if (yes) {
            silent.add(route);
        } else {
            silent.remove(route);
        }
    }

    /** Silences the route to a random backend. */
    public void silenceOneBackend(Random random) {
        silence(String.valueOf(backends.get(random.nextInt(backends.size()))), true);
    }

    /** Closes all connections and accepts new ones without connecting them to a backend, or stops doing so. */
    public void leadNowhere(boolean yes) {
        leadingNowhere = yes;
        if (yes) {
            cut();
        }
    }

    /** Delays each chunk of data. */
    public void delay(Duration time) {
        delay = time;
    }

    /** Ends all faults. */
    public void heal() {
        refusing = false;
        stalled = false;
        leadingNowhere = false;
        delay = Duration.ZERO;
        silent.clear();
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

    /** Connects a client to a backend. Called on the accepting thread. */
    private void connect(Socket client) {
        int first = next++;
        for (int i = 0; i < backends.size(); i++) {
            int backend = backends.get(Math.floorMod(first + i, backends.size()));
            boolean last = i == backends.size() - 1;
            if (silent.contains(String.valueOf(backend)) && !last) {
                continue;
            }
            try {
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), backend);
                open.add(upstream);
                Connection connection = new Connection(client, backend);
                start("up", () -> pump(client, upstream, connection));
                start("down", () -> pump(upstream, client, connection));
                return;
            } catch (IOException e) {
                log.trace("nothing accepts connections at {}", backend, e);
            }
        }
        open.remove(client);
        closeQuietly(client);
    }

    private void pump(Socket from, Socket to, Connection connection) {
        byte[] buffer = new byte[16 * 1024];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                connection.hasSent(from, buffer, n);
                pause(delay);
                while ((stalled || isSilent(connection)) && !closed) {
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

    private boolean isSilent(Connection connection) {
        String route = connection.route;
        return route.isEmpty() ? !silent.isEmpty() : silent.contains(route);
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

    /** A connection and its route, which is empty while it isn't known. */
    private final class Connection {

        private final Socket client;
        private volatile String route;

        Connection(Socket client, int backend) {
            this.client = client;
            this.route = routeBy == RouteBy.BACKEND ? String.valueOf(backend) : "";
        }

        /** Determines the route from the first request. */
        void hasSent(Socket from, byte[] buffer, int length) {
            if (route.isEmpty() && from == client) {
                Matcher origin = ETCD_ORIGIN.matcher(new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
                if (origin.find()) {
                    route = origin.group(1);
                }
            }
        }
    }
}
