package io.cle.coordinator.actuate;

import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * HTTP for untrusted clients that must not delay others: one request per connection, whose body isn't read, and a limited number of
 * short-lived connections.
 *
 * <p>Tomcat reads headers without occupying a thread, but after the answer it waits for the rest of the request's body, however slowly the
 * body arrives. When the maximum number of connections is reached, it accepts no more until some of them end.
 */
final class ProbeProtocol extends Http11NioProtocol {

    /** The maximum number of connections, more than the kubelet and Prometheus ever need. If it is exceeded, the oldest connection is closed. */
    static final int CONNECTIONS = 64;

    /** The maximum duration of a connection: Prometheus' default scrape timeout. */
    static final Duration LONGEST = Duration.ofSeconds(10);

    /**
     * Creates a protocol that isn't listening yet.
     *
     * @param threads the maximum number of concurrent requests
     * @param nanoTime a monotonic clock
     */
    ProbeProtocol(int threads, LongSupplier nanoTime) {
        super(new FewConnections(nanoTime));
        // Spring Boot's server.tomcat.threads are for its own connector.
        setMaxThreads(threads);
        setMinSpareThreads(1);
        setMaxKeepAliveRequests(1);
        setConnectionTimeout((int) LONGEST.toMillis());
    }

    @Override
    public void setAdapter(Adapter adapter) {
        super.setAdapter(new WithoutBodies(adapter));
    }

    /** Answers requests without waiting for their bodies, including requests that Tomcat itself refuses. */
    private record WithoutBodies(Adapter adapter) implements Adapter {

        @Override
        public void service(Request request, Response response) throws Exception {
            adapter.service(request, response);
            // After the answer, because Tomcat treats this as an error, which it would answer with 500.
            request.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
        }

        @Override
        public boolean prepare(Request request, Response response) throws Exception {
            return adapter.prepare(request, response);
        }

        @Override
        public boolean asyncDispatch(Request request, Response response, SocketEvent status) throws Exception {
            return adapter.asyncDispatch(request, response, status);
        }

        @Override
        public void log(Request request, Response response, long time) {
            adapter.log(request, response, time);
        }

        @Override
        public void checkRecycled(Request request, Response response) {
            adapter.checkRecycled(request, response);
        }

        @Override
        public String getDomain() {
            return adapter.getDomain();
        }
    }

    /**
     * Closes connections when a new one is accepted, so that the new one is served: those that have lasted too long, and the oldest ones if
     * there are too many. Probes are answered within milliseconds, so theirs are among the newest.
     */
    private static final class FewConnections extends NioEndpoint {

        private final LongSupplier nanoTime;

        /** In order of arrival. Used by the acceptor's thread only. */
        private final Deque<Arrival> arrivals = new ArrayDeque<>();

        private record Arrival(SocketChannel socket, long nanos) {}

        FewConnections(LongSupplier nanoTime) {
            this.nanoTime = nanoTime;
            // A channel that is closed here while a thread still writes to it must not be another connection's by then.
            socketProperties.setBufferPool(0);
        }

        @Override
        protected boolean setSocketOptions(SocketChannel socket) {
            boolean accepted = super.setSocketOptions(socket);
            long now = nanoTime.getAsLong();
            arrivals.removeIf(arrival -> !connections.containsKey(arrival.socket()));
            arrivals.addLast(new Arrival(socket, now));
            while (arrivals.size() > CONNECTIONS || now - arrivals.getFirst().nanos() >= LONGEST.toNanos()) {
                SocketWrapperBase<NioChannel> oldest =
                        connections.get(arrivals.removeFirst().socket());
                if (oldest != null) {
                    oldest.close();
                }
            }
            return accepted;
        }
    }
}
