package io.cle.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntSupplier;

import io.cle.model.internal.PrintableText;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers only under names that are this server's (DNS rebinding). A page that an administrator has opened elsewhere can have its own name
 * resolve to 127.0.0.1, where a port-forward listens, and would read the leases of all namespaces as its own origin. What it can't choose is the
 * Host header, which is that name. The header is read as it was sent: a forwarded one is under that page's control.
 *
 * <p>An address is no name: the server's own, and those of the loopback interface, are known.
 */
public final class HostFilter extends OncePerRequestFilter {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Set<String> names = new HashSet<>(LOOPBACK);
    private final IntSupplier openPort;

    HostFilter(ServedHosts served, Set<String> further) {
        served.names().forEach(this::add);
        further.forEach(this::add);
        this.openPort = served.openPort();
    }

    private void add(String name) {
        names.add(name.strip().toLowerCase(Locale.ROOT));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String host = request.getHeader(HttpHeaders.HOST);
        if (request.getLocalPort() == openPort.getAsInt() || isKnown(host, request.getLocalAddr())) {
            chain.doFilter(request, response);
            return;
        }
        response.setStatus(HttpStatus.MISDIRECTED_REQUEST.value());
        response.setContentType(MediaType.TEXT_PLAIN_VALUE);
        response.setCharacterEncoding(StandardCharsets.UTF_8);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.getWriter()
                .println("The coordinator isn't known by the Host name '" + PrintableText.text(host == null ? "" : host)
                        + "', and answers only under names that it knows. If it is to be reached by this one, add it to"
                        + " cle.coordinator.page.hosts.");
    }

    private boolean isKnown(@Nullable String host, String localAddress) {
        if (host == null) {
            return false;
        }
        String name = host.replaceFirst(":\\d*$", "").toLowerCase(Locale.ROOT);
        String withoutRoot = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        return names.contains(withoutRoot)
                || withoutRoot.endsWith(".localhost")
                || name.equals(localAddress.contains(":") ? "[" + localAddress + "]" : localAddress);
    }

    /**
     * By what names the web server of a process is asked for.
     *
     * @param names Host names, beside those of the loopback interface and those of {@code cle.coordinator.page.hosts}
     * @param openPort the port on which it answers under any name, as it shows nothing there; -1 if there is none
     */
    public record ServedHosts(Set<String> names, IntSupplier openPort) {

        /** The names of the loopback interface alone, on every port. */
        static final ServedHosts LOOPBACK = new ServedHosts(Set.of(), () -> -1);

        /** The names that a Service of the cluster has, within its namespace and outside of it. */
        public static Set<String> ofService(String service, String namespace) {
            String name = service + "." + namespace;
            return Set.of(service, name, name + ".svc", name + ".svc.cluster.local");
        }
    }
}
