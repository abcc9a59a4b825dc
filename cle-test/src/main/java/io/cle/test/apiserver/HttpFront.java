package io.cle.test.apiserver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cle.test.apiserver.memory.ApiServerRequest;
import io.cle.test.apiserver.memory.InMemoryApiServer;
import io.cle.test.apiserver.memory.ServerResponse;
import io.cle.test.apiserver.memory.WatchStream;
import io.cle.test.apiserver.status.ApiFailure;
import org.jspecify.annotations.Nullable;

/** Serves an {@link InMemoryApiServer} over HTTP: one request at a time, watches as streams flushed per event. */
final class HttpFront {

    static {
        // Otherwise each small response waits 40 ms for the peer's delayed ACK.
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
    }

    private static final Gson GSON =
            new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
    private static final long BOOKMARK_SECONDS = 60;
    private static final long LAST_BOOKMARK_SECONDS = 2;

    private final InMemoryApiServer server;
    private final HttpServer http;
    private final ExecutorService workers;
    private final ScheduledExecutorService timer;

    private HttpFront(InMemoryApiServer server, HttpServer http) {
        this.server = server;
        this.http = http;
        workers = Executors.newCachedThreadPool(daemons("embedded-api-server"));
        timer = Executors.newSingleThreadScheduledExecutor(daemons("embedded-api-server-timer"));
    }

    /** Listens on the loopback interface; port 0 is a free one. */
    static HttpFront start(InMemoryApiServer server, int port) {
        try {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            HttpFront front = new HttpFront(server, HttpServer.create(address, 0));
            front.http.createContext("/", front::serve);
            front.http.setExecutor(front.workers);
            front.http.start();
            return front;
        } catch (BindException e) {
            throw new UncheckedIOException("the embedded API server cannot listen on port " + port, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
    }

    void stop() {
        http.stop(0);
        workers.shutdownNow();
        timer.shutdownNow();
    }

    private void serve(HttpExchange exchange) throws IOException {
        ServerResponse response = respond(exchange);
        if (response instanceof WatchStream watch) {
            stream(exchange, watch);
        } else if (response instanceof ServerResponse.Answer answer) {
            send(exchange, answer.code(), "application/json", GSON.toJson(answer.body()));
        } else if (response instanceof ServerResponse.Text text) {
            send(exchange, text.code(), "text/plain; charset=utf-8", text.body());
        }
    }

    private ServerResponse respond(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        try {
            ApiServerRequest request = request(exchange, body);
            synchronized (server) {
                return server.handle(request);
            }
        } catch (ApiFailure failure) {
            return refused(failure);
        } catch (JsonParseException e) {
            return refused(ApiFailure.badRequest(
                    "the object provided is unrecognized: couldn't get version/kind; json parse error: "
                            + e.getMessage()));
        }
    }

    private static ServerResponse refused(ApiFailure failure) {
        return new ServerResponse.Answer(failure.code(), failure.toStatus());
    }

    private static ApiServerRequest request(HttpExchange exchange, byte[] body) {
        Headers headers = exchange.getRequestHeaders();
        if ("websocket".equalsIgnoreCase(headers.getFirst("Upgrade"))) {
            // fabric8's client then watches over HTTP, as it does through kubectl's proxy.
            throw ApiFailure.unavailable("the embedded API server has no WebSockets: watch by HTTP");
        }
        String contentType = headers.getFirst("Content-Type");
        if (contentType != null && contentType.indexOf(';') >= 0) {
            contentType = contentType.substring(0, contentType.indexOf(';'));
        }
        URI uri = exchange.getRequestURI();
        return new ApiServerRequest(
                exchange.getRequestMethod(),
                uri.getRawPath(),
                query(uri.getRawQuery()),
                contentType,
                headers.getFirst("Accept"),
                parse(new String(body, StandardCharsets.UTF_8), contentType));
    }

    private static @Nullable JsonElement parse(String body, @Nullable String contentType) {
        if (body.isBlank()) {
            return null;
        }
        if (contentType != null && contentType.endsWith("protobuf")) {
            throw ApiFailure.unsupportedMediaType("the body of the request was in an unknown format - accepted media"
                    + " types include: application/json, application/yaml");
        }
        return contentType != null && contentType.endsWith("yaml")
                ? YamlDocuments.parse(body)
                : JsonParser.parseString(body);
    }

    private static Map<String, String> query(@Nullable String raw) {
        if (raw == null || raw.isEmpty()) {
            return Map.of();
        }
        Map<String, String> query = new LinkedHashMap<>();
        for (String parameter : raw.split("&")) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            String value = equals < 0 ? "" : parameter.substring(equals + 1);
            query.put(decode(name), decode(value));
        }
        return query;
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static void send(HttpExchange exchange, int code, String contentType, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", contentType);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(code, head || body.length == 0 ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    private void stream(HttpExchange exchange, WatchStream watch) throws IOException {
        WatchConnection connection =
                new WatchConnection(exchange, event -> GSON.toJson(event).getBytes(StandardCharsets.UTF_8), workers);
        connection.onBroken(() -> {
            synchronized (server) {
                watch.close();
            }
        });
        // Started before the response is sent, so that the watch delivers all that the client does next.
        synchronized (server) {
            watch.start(connection);
        }
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        try {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().flush();
        } catch (IOException e) {
            connection.broken();
            throw e;
        }
        connection.open();
        if (watch.wantsBookmarks()) {
            connection.cancelAtEnd(timer.scheduleAtFixedRate(
                    () -> bookmark(watch), BOOKMARK_SECONDS, BOOKMARK_SECONDS, TimeUnit.SECONDS));
        }
        int timeout = watch.timeoutSeconds();
        if (timeout > 0) {
            long last = Math.max(0, timeout - LAST_BOOKMARK_SECONDS);
            connection.cancelAtEnd(timer.schedule(() -> bookmark(watch), last, TimeUnit.SECONDS));
            connection.cancelAtEnd(timer.schedule(() -> finish(watch), timeout, TimeUnit.SECONDS));
        }
    }

    private void bookmark(WatchStream watch) {
        synchronized (server) {
            watch.bookmark();
        }
    }

    private void finish(WatchStream watch) {
        synchronized (server) {
            watch.end();
        }
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
