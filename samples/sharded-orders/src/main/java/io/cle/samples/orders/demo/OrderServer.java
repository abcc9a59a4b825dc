package io.cle.samples.orders.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cle.samples.narration.Stopwatch;

/** Serves the store of orders to replicas over HTTP, on a free loopback port. */
final class OrderServer implements AutoCloseable {

    private static final int THREADS = 8;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    /** Starts the server. */
    OrderServer(OrderBook book, ShardTerms terms, Stopwatch stopwatch) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException("the store of orders can't listen", e);
        }
        server.setExecutor(threads);
        on(
                "/orders",
                query -> book.open().stream()
                        .map(order -> order.id() + " " + order.customer())
                        .collect(Collectors.joining("\n")));
        on(
                "/orders/begin",
                query -> answer(book.begin(number(query, "order"), text(query, "replica"), number(query, "token"))));
        on(
                "/orders/end",
                query -> answer(book.end(
                        number(query, "order"),
                        text(query, "replica"),
                        number(query, "token"),
                        Boolean.parseBoolean(text(query, "done")))));
        on("/terms/begin", query -> {
            int shard = (int) number(query, "shard");
            terms.begins(shard, text(query, "replica"), number(query, "token"), stopwatch.now());
            return answer(book.admits(shard, number(query, "token")));
        });
        on("/terms/end", query -> {
            terms.ends((int) number(query, "shard"), text(query, "replica"), number(query, "token"), stopwatch.now());
            return "";
        });
        server.start();
    }

    /** Returns the server's URL. */
    String url() {
        return "http://" + InetAddress.getLoopbackAddress().getHostAddress() + ":"
                + server.getAddress().getPort();
    }

    /** Serves a path; REFUSED is answered as a conflict. */
    private void on(String path, Function<Map<String, String>, String> handler) {
        server.createContext(path, exchange -> {
            try (exchange) {
                respond(exchange, handler);
            }
        });
    }

    private static final String REFUSED = "refused";

    private static String answer(boolean taken) {
        return taken ? "" : REFUSED;
    }

    private static void respond(HttpExchange exchange, Function<Map<String, String>, String> handler)
            throws IOException {
        exchange.getRequestBody().readAllBytes();
        String answer = handler.apply(query(exchange));
        byte[] body = answer.getBytes(StandardCharsets.UTF_8);
        int code = answer.equals(REFUSED) ? HttpURLConnection.HTTP_CONFLICT : HttpURLConnection.HTTP_OK;
        exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    private static Map<String, String> query(HttpExchange exchange) {
        String query = exchange.getRequestURI().getQuery();
        return query == null
                ? Map.of()
                : Arrays.stream(query.split("&"))
                        .map(pair -> pair.split("=", 2))
                        .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    }

    private static String text(Map<String, String> query, String name) {
        String value = query.get(name);
        if (value == null) {
            throw new IllegalArgumentException("a request lacks " + name + ": " + query);
        }
        return value;
    }

    private static long number(Map<String, String> query, String name) {
        return Long.parseLong(text(query, name));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
