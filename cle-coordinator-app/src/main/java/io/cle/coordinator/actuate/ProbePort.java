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
 * A second connector of the web server, on all interfaces, that answers the kubelet's probes and Prometheus, and 404 to everything else:
 * the leases of all namespaces are served on the main port, which listens on the loopback interface by default. Spring Boot's management
 * port would move every actuator endpoint, {@code /actuator/elections} among them, to the port that the whole cluster reaches. Thread-safe.
 *
 * <p>Every pod may reach this port, but none may delay the kubelet's probes: otherwise the kubelet would restart all replicas of the
 * coordinator. {@link ProbeProtocol} limits connections. This class reads no request bodies, and never lets scrapes use the last thread.
 */
public final class ProbePort extends OncePerRequestFilter implements Ordered {

    private static final String SCRAPE = "/actuator/prometheus";

    /** The served paths. Matched exactly, not as prefixes. */
    private static final Set<String> SERVED = Set.of("/actuator/health/liveness", "/actuator/health/readiness", SCRAPE);

    private static final Set<String> METHODS = Set.of("GET", "HEAD");

    /**
     * The maximum number of concurrent scrapes: two, because Prometheus often runs in pairs. Limited because a client that doesn't read a
     * large answer occupies a thread.
     */
    private static final int SCRAPES = 2;

    private final @Nullable Connector connector;
    private final Semaphore scrapes = new Semaphore(SCRAPES);

    /**
     * Creates an instance that doesn't open the port yet.
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
            // One thread remains for probes.
            connector = new Connector(new ProbeProtocol(SCRAPES + 1, nanoTime));
            connector.setPort(port);
        }
    }

    /** Returns the listening port; -1 before the web server has started, and if there is no such port. */
    public int localPort() {
        return connector == null ? -1 : connector.getLocalPort();
    }

    /** Adds the port to a web server, in which this must also be a filter. */
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
            // Spring Boot's endpoints would wait for the body, because they also read parameters from the body of a
            // GET.
            response.setStatus(HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
        } else if (!request.getRequestURI().equals(SCRAPE)) {
            chain.doFilter(request, response);
        } else if (scrapes.tryAcquire()) {
            try {
                chain.doFilter(request, response);
                // Within the permit, because flushing blocks if the client doesn't read.
                response.flushBuffer();
            } finally {
                scrapes.release();
            }
        } else {
            response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
        }
    }

    /** Runs before every other filter, so that rejected requests cost nothing. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
