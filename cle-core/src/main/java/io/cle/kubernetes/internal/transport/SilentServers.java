package io.cle.kubernetes.internal.transport;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;

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
        } catch (IOException e) {
            if (isTimeout(e, chain, sent) && isSilentForTooLong(connection, sent)) {
                connection.socket().close();
            }
            throw e;
        }
    }

    /**
     * The time-out of a read, or that of the call, which cancels it: they are so close to each other that on a busy machine either comes first. A
     * call that waited for its connection most of its time says nothing about the server.
     */
    private static boolean isTimeout(IOException failure, Chain chain, long sent) {
        long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sent);
        return failure instanceof SocketTimeoutException
                || (chain.call().isCanceled() && waited >= chain.readTimeoutMillis() / 2);
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
