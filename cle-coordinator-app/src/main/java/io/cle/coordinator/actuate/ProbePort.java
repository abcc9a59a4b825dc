package io.cle.coordinator.actuate;

import java.io.IOException;
import java.util.Set;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * A second connector of the web server, on all interfaces, that answers the kubelet's probes and Prometheus, and 404 to everything
 * else: what the coordinator knows of all namespaces is served on the main port, which listens on the loopback interface by default.
 * Spring Boot's management port would move every actuator endpoint, {@code /actuator/elections} among them, to the port that the whole
 * cluster reaches. Thread-safe.
 */
public final class ProbePort extends OncePerRequestFilter
        implements WebServerFactoryCustomizer<TomcatServletWebServerFactory>, Ordered {

    /** Whole paths, not prefixes: a path below or beside one of these is not served. */
    private static final Set<String> SERVED =
            Set.of("/actuator/health/liveness", "/actuator/health/readiness", "/actuator/prometheus");

    /** The kubelet's probes and a scrape at the same time. */
    private static final int THREADS = 2;

    private final @Nullable Connector connector;

    /**
     * Opens nothing yet.
     *
     * @param port {@code null} for no such port
     */
    public ProbePort(@Nullable Integer port) {
        if (port == null) {
            connector = null;
        } else {
            connector = new Connector(TomcatWebServerFactory.DEFAULT_PROTOCOL);
            connector.setPort(port);
            // Spring Boot's server.tomcat.threads are for its own connector.
            if (connector.getProtocolHandler() instanceof AbstractProtocol<?> protocol) {
                protocol.setMaxThreads(THREADS);
                protocol.setMinSpareThreads(1);
            }
        }
    }

    /** The port that it listens on; -1 before the web server has started, and if there is none. */
    public int localPort() {
        return connector == null ? -1 : connector.getLocalPort();
    }

    @Override
    public void customize(TomcatServletWebServerFactory factory) {
        if (connector != null) {
            factory.addAdditionalConnectors(connector);
        }
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getLocalPort() == localPort() && !SERVED.contains(request.getRequestURI())) {
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
            return;
        }
        chain.doFilter(request, response);
    }

    /** Before every other filter: what this port doesn't serve costs nothing. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
