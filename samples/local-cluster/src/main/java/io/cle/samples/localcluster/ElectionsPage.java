package io.cle.samples.localcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cle.model.Candidate;
import io.cle.runtime.coordinator.ElectionView;

/** A page for people: every lease with its candidates, best first, and the last decision's reason. Plain text. */
final class ElectionsPage implements AutoCloseable {

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

    private final HttpServer http;

    private ElectionsPage(HttpServer http) {
        this.http = http;
    }

    /** Serves the page on the loopback interface; port 0 is a free one. */
    static ElectionsPage serve(int port, Supplier<CompletionStage<List<ElectionView>>> elections) {
        try {
            HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            http.createContext(
                    "/",
                    exchange -> elections
                            .get()
                            .whenComplete((views, failure) -> answer(
                                    exchange,
                                    failure == null ? describe(views) : "the coordinator doesn't answer: " + failure)));
            http.start();
            return new ElectionsPage(http);
        } catch (IOException e) {
            throw new UncheckedIOException("the page with the elections can't listen on port " + port, e);
        }
    }

    String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    private static void answer(HttpExchange exchange, String text) {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            exchange.getResponseHeaders().set("Refresh", "1");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException e) {
            throw new UncheckedIOException("the browser has left", e);
        }
    }

    static String describe(List<ElectionView> views) {
        if (views.isEmpty()) {
            return "There are no leases yet. Start a candidate.\n";
        }
        StringBuilder text = new StringBuilder();
        views.forEach(view -> describe(view, text));
        return text.toString();
    }

    private static void describe(ElectionView view, StringBuilder text) {
        String holder = view.lease() == null ? null : view.lease().holder();
        text.append(view.key())
                .append(holder == null ? ": nobody leads" : ": " + holder + " leads")
                .append(", by ")
                .append(view.strategy().name())
                .append(" (")
                .append(view.strategy().source().text())
                .append(")\n");
        if (view.reason() != null && view.decidedAt() != null) {
            text.append("    ")
                    .append(TIME.format(view.decidedAt()))
                    .append("  ")
                    .append(view.reason())
                    .append('\n');
        }
        int rank = 0;
        for (ElectionView.Standing standing : view.candidates()) {
            Candidate candidate = standing.candidate();
            text.append("    ").append(++rank).append(". ").append(candidate.identity());
            if (candidate.compatibilityVersion() != null) {
                text.append("  ").append(candidate.compatibilityVersion());
            }
            text.append('\n');
        }
        view.problems().forEach(problem -> text.append("    ! ").append(problem).append('\n'));
        text.append('\n');
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
