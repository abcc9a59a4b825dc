package io.cle.kubernetes.internal.transport;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

import okhttp3.Call;
import okhttp3.Connection;
import okhttp3.ConnectionPool;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;

/**
 * The OkHttp clients of a transport, which abandon connections that have gone silent. If a request isn't answered in time, and nothing else
 * was answered on its connection meanwhile, later requests and watches use new connections. The old connection isn't closed, because
 * requests in progress on it may still be answered. Once there is an answer on a new connection, which shows that the server can be
 * reached, watches on the silent HTTP/2 connection are ended and resumed on the new one.
 *
 * <p>History without it: a load balancer fails over and swallows all data on established connections, while new connections work. Or one of
 * two kube-apiservers is cut off from etcd but still answers HTTP/2 pings, so that OkHttp regards the connection as healthy. A leader's
 * renewal and the following read both time out, and its term ends. Thread-safe.
 */
final class Connections implements Interceptor {

    private volatile Generation present;

    /** Earlier generations, as long as they have connections. */
    private final List<Generation> former = new ArrayList<>();

    /** The time of the last answer on each connection. */
    private final Map<Connection, Long> answered = new WeakHashMap<>();

    private final Set<Connection> silent = Collections.newSetFromMap(new WeakHashMap<>());

    /** The open watches on HTTP/2 connections, which they share with requests. */
    private final Map<Call, Connection> watches = new HashMap<>();

    /** The watches that were ended, to be resumed on another connection. */
    private final Set<Call> moved = new HashSet<>();

    /**
     * Clients that share connections: one for requests with timeouts, and one for watches. A request is tagged with the generation whose
     * client sends it.
     */
    record Generation(OkHttpClient requests, OkHttpClient watches) {

        private Generation next() {
            ConnectionPool pool = new ConnectionPool();
            return new Generation(
                    requests.newBuilder().connectionPool(pool).build(),
                    watches.newBuilder().connectionPool(pool).build());
        }

        private ConnectionPool pool() {
            return requests.connectionPool();
        }
    }

    /**
     * Creates clients without connections.
     *
     * @param requests builds the client of requests
     * @param watches builds the client of watches, on the same connection pool
     */
    Connections(OkHttpClient.Builder requests, OkHttpClient.Builder watches) {
        present = new Generation(
                requests.addNetworkInterceptor(this).build(),
                watches.addNetworkInterceptor(this).build());
    }

    /** Returns the clients to use for the next request or watch. */
    Generation present() {
        return present;
    }

    /** Closes all idle connections. */
    synchronized void close() {
        present.pool().evictAll();
        former.forEach(generation -> generation.pool().evictAll());
    }

    /** Records that a watch is open. */
    synchronized void opened(Call watch, Connection connection) {
        if (connection.protocol() == Protocol.HTTP_2) {
            watches.put(watch, connection);
        }
    }

    /** Records that a watch has ended, and returns whether this class has ended it so that it has to be resumed. */
    synchronized boolean wasMoved(Call watch) {
        watches.remove(watch);
        return moved.remove(watch);
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Connection connection = chain.connection();
        Generation generation = chain.request().tag(Generation.class);
        if (connection == null || generation == null) {
            return chain.proceed(chain.request());
        }
        long sent = System.nanoTime();
        try {
            Response response = chain.proceed(chain.request());
            answered(connection, generation);
            return response;
        } catch (IOException e) {
            if (isTimeout(e, chain, sent)) {
                unanswered(connection, generation, sent);
            }
            throw e;
        }
    }

    /**
     * Returns whether a request has timed out. Either the read timeout or the timeout of the call may occur first on a busy machine,
     * because they are so close to each other. A call that has mostly waited for its connection proves nothing about the server. A watch's
     * call has no timeout.
     */
    private static boolean isTimeout(IOException failure, Chain chain, long sent) {
        long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sent);
        return failure instanceof SocketTimeoutException
                || (chain.call().isCanceled()
                        && chain.call().timeout().timeoutNanos() > 0
                        && waited >= chain.readTimeoutMillis() / 2);
    }

    private void answered(Connection connection, Generation generation) {
        List<Call> stuck;
        synchronized (this) {
            answered.put(connection, System.nanoTime());
            if (!generation.equals(present) || former.isEmpty()) {
                return;
            }
            stuck = watches.keySet().stream()
                    .filter(watch -> silent.contains(watches.get(watch)))
                    .toList();
            moved.addAll(stuck);
            dropUnused();
        }
        stuck.forEach(Call::cancel);
    }

    /**
     * Abandons a connection, unless other requests were answered on it meanwhile. Several requests that time out together abandon only one
     * connection.
     */
    private synchronized void unanswered(Connection connection, Generation generation, long sent) {
        Long last = answered.get(connection);
        boolean aliveSince = last != null && last - sent > 0;
        if (!generation.equals(present) || aliveSince) {
            return;
        }
        silent.add(connection);
        dropUnused();
        former.add(generation);
        present = generation.next();
    }

    /** Closes idle abandoned connections: each attempt during an outage abandons one, and an outage may last for days. */
    private void dropUnused() {
        former.forEach(left -> left.pool().evictAll());
        former.removeIf(left -> left.pool().connectionCount() == 0);
    }
}
