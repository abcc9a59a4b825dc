package io.cle.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

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
 * Answers requests only under this server's names, as a protection against DNS rebinding. A web page that an administrator has opened can
 * resolve its own name to 127.0.0.1, where a port-forward listens, and could read the leases of all namespaces as its own origin. It can't
 * choose the Host header, which is that name. The header is read as it was sent, because forwarded headers are under that page's control.
 *
 * <p>IP addresses are allowed if they are the server's own or those of the loopback interface.
 */
public final class HostFilter extends OncePerRequestFilter {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Set<String> names = new HashSet<>(LOOPBACK);

    HostFilter(ServedHosts served, Set<String> further) {
        served.names().forEach(this::add);
        further.forEach(this::add);
    }

    private void add(String name) {
        names.add(name.strip().toLowerCase(Locale.ROOT));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String host = request.getHeader(HttpHeaders.HOST);
        if (isKnown(host, request.getLocalAddr())) {
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
     * The names under which the web server of a process answers.
     *
     * @param names Host names in addition to those of the loopback interface and of {@code cle.coordinator.page.hosts}
     */
    public record ServedHosts(Set<String> names) {

        /** Only the names of the loopback interface. */
        static final ServedHosts LOOPBACK = new ServedHosts(Set.of());

        /** Returns the names of a Service within and outside of its namespace. */
        public static Set<String> ofService(String service, String namespace) {
            String name = service + "." + namespace;
            return Set.of(service, name, name + ".svc", name + ".svc.cluster.local");
        }
    }
}
