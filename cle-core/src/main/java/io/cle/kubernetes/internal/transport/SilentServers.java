package io.cle.kubernetes.internal.transport;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.WeakHashMap;

import okhttp3.Connection;
import okhttp3.Interceptor;
import okhttp3.Response;

/**
 * Closes an HTTP/2 connection on which several requests, one after another, were not answered in time, although it answers pings. Requests
 * go on on a new connection, which a load balancer may lead to another API server; a watch on the old one breaks, and is opened anew.
 *
 * <p>History without it: one of two kube-apiservers is cut from etcd. It still answers pings, so that OkHttp takes the connection for
 * healthy, and the process asks that server for as long as it is cut off, while the other one would answer. Thread-safe.
 */
final class SilentServers implements Interceptor {

    /** One or two may have other reasons: a pause of the server, or an election among the members of etcd. */
    private static final int IN_A_ROW = 3;

    private final Map<Connection, Silence> silent = new WeakHashMap<>();

    /**
     * A connection's silence.
     *
     * @param requests how many requests, one after another, were not answered
     * @param last when the last of them timed out
     */
    private record Silence(int requests, long last) {}

    @Override
    public Response intercept(Chain chain) throws IOException {
        Connection connection = chain.connection();
        if (connection == null) {
            return chain.proceed(chain.request());
        }
        long sent = System.nanoTime();
        try {
            Response response = chain.proceed(chain.request());
            answered(connection);
            return response;
        } catch (SocketTimeoutException e) {
            if (isSilentForTooLong(connection, sent)) {
                connection.socket().close();
            }
            throw e;
        }
    }

    private synchronized void answered(Connection connection) {
        silent.remove(connection);
    }

    /** Requests that were under way at the same time count once: a coordinator pings many candidates at once. */
    private synchronized boolean isSilentForTooLong(Connection connection, long sent) {
        Silence before = silent.get(connection);
        if (before != null && sent - before.last < 0) {
            return false;
        }
        Silence now = new Silence(before == null ? 1 : before.requests + 1, System.nanoTime());
        silent.put(connection, now);
        return now.requests >= IN_A_ROW;
    }
}
