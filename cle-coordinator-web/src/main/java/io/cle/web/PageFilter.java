package io.cle.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

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
 * Protects the page and its JSON in browsers. Its headers allow only scripts that this server sends as files, in case the page's script
 * ever adds untrusted HTML.
 *
 * <p>Answers requests only under this server's names, as a protection against DNS rebinding. A web page that an administrator has opened can
 * resolve its own name to 127.0.0.1, where a port-forward listens, and could read the leases of all namespaces as its own origin. It can't
 * choose the Host header, which is that name. The header is read as it was sent, because forwarded headers are under that page's control.
 *
 * <p>IP addresses are allowed if they are the server's own or those of the loopback interface.
 */
public final class PageFilter extends OncePerRequestFilter {

    static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final Set<String> names = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));

    PageFilter(Stream<String> served) {
        served.map(name -> name.strip().toLowerCase(Locale.ROOT)).forEach(names::add);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
        String host = request.getHeader(HttpHeaders.HOST);
        if (isKnown(host, request.getLocalAddr())) {
            chain.doFilter(request, response);
            return;
        }
        response.setStatus(HttpStatus.MISDIRECTED_REQUEST.value());
        response.setContentType(MediaType.TEXT_PLAIN_VALUE);
        response.setCharacterEncoding(StandardCharsets.UTF_8);
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
     * The Service of a process, whose names its web server accepts in addition to those of the loopback interface.
     *
     * @param service the name of the Service
     * @param namespace its namespace
     */
    public record OfService(String service, String namespace) {

        /** Returns the names within and outside of the namespace. */
        Stream<String> names() {
            String name = service + "." + namespace;
            return Stream.of(service, name, name + ".svc", name + ".svc.cluster.local");
        }
    }
}
