package io.cle.coordinator.actuate;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.catalina.connector.Connector;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * A second connector of the web server, on all interfaces, that answers the kubelet's probes and Prometheus, and 404 to everything
 * else: what the coordinator knows of all namespaces is served on the main port, which listens on the loopback interface by default.
 * Spring Boot's management port would move every actuator endpoint, {@code /actuator/elections} among them, to the port that the whole
 * cluster reaches. Thread-safe.
 *
 * <p>Every pod may reach this port, and none may keep the kubelet's probes waiting: otherwise the kubelet would restart all replicas of the
 * coordinator. {@link ProbeProtocol} is for connections; here, no body is read, and scrapes never take the last thread.
 */
public final class ProbePort extends OncePerRequestFilter implements Ordered {

    private static final String SCRAPE = "/actuator/prometheus";

    /** Whole paths, not prefixes: a path below or beside one of these is not served. */
    private static final Set<String> SERVED = Set.of("/actuator/health/liveness", "/actuator/health/readiness", SCRAPE);

    private static final Set<String> METHODS = Set.of("GET", "HEAD");

    /** Two of Prometheus, as it is often run. An answer may be large, and a client that doesn't read it keeps its thread for a while. */
    private static final int SCRAPES = 2;

    private final @Nullable Connector connector;
    private final Semaphore scrapes = new Semaphore(SCRAPES);

    /**
     * Opens nothing yet.
     *
     * @param port {@code null} for no such port
     */
    public ProbePort(@Nullable Integer port) {
        this(port, System::nanoTime);
    }

    ProbePort(@Nullable Integer port, LongSupplier nanoTime) {
        if (port == null) {
            connector = null;
        } else {
            // One thread is left for probes.
            connector = new Connector(new ProbeProtocol(SCRAPES + 1, nanoTime));
            connector.setPort(port);
        }
    }

    /** The port that it listens on; -1 before the web server has started, and if there is none. */
    public int localPort() {
        return connector == null ? -1 : connector.getLocalPort();
    }

    /** Adds the port to a web server, whose filter this has to be. */
    public void openIn(TomcatServletWebServerFactory factory) {
        if (connector != null) {
            factory.addAdditionalConnectors(connector);
        }
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getLocalPort() != localPort()) {
            chain.doFilter(request, response);
        } else if (!SERVED.contains(request.getRequestURI()) || !METHODS.contains(request.getMethod())) {
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
        } else if (request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null) {
            // Spring Boot's endpoints would wait for it: they take parameters from the body of a GET, too.
            response.setStatus(HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
        } else if (!request.getRequestURI().equals(SCRAPE)) {
            chain.doFilter(request, response);
        } else if (scrapes.tryAcquire()) {
            try {
                chain.doFilter(request, response);
                // Within the permit, because it is the client that may not read.
                response.flushBuffer();
            } finally {
                scrapes.release();
            }
        } else {
            response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        }
    }

    /** Before every other filter: what this port doesn't serve costs nothing. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
