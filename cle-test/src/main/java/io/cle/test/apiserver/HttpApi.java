package io.cle.test.apiserver;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

import javax.net.ssl.SSLContext;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.store.Metadata;
import org.jspecify.annotations.Nullable;

/** Sends JSON to an API server with the JDK's HTTP client and returns the responses uninterpreted. Thread-safe. */
public final class HttpApi {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final URI base;
    private final @Nullable String token;
    private final HttpClient client;
    private final Duration timeout;

    /** Connects without TLS and authentication, as to the embedded server. */
    public HttpApi(URI base) {
        this(base, null, HttpClient.newBuilder().connectTimeout(TIMEOUT).build(), TIMEOUT);
    }

    /** Connects over TLS, with a bearer token. */
    public HttpApi(URI base, SSLContext ssl, String token) {
        this(
                base,
                token,
                HttpClient.newBuilder().connectTimeout(TIMEOUT).sslContext(ssl).build(),
                TIMEOUT);
    }

    private HttpApi(URI base, @Nullable String token, HttpClient client, Duration timeout) {
        this.base = base;
        this.token = token;
        this.client = client;
        this.timeout = timeout;
    }

    /** Returns a client with this timeout per request, which doesn't apply to watches. */
    public HttpApi within(Duration requestTimeout) {
        return new HttpApi(base, token, client, requestTimeout);
    }

    /** Reads an object or lists a collection; the path may have a query. */
    public Reply get(String path) {
        return send(request(path).GET());
    }

    /** Reads with the given {@code Accept} header. */
    public Reply get(String path, String accept) {
        return send(request(path).setHeader("Accept", accept).GET());
    }

    /** Creates an object. */
    public Reply post(String path, JsonElement body) {
        return send(request(path).POST(json(body.toString())));
    }

    /** Posts a body as is, JSON or not. */
    public Reply postText(String path, String body) {
        return send(request(path).POST(json(body)));
    }

    /** Replaces an object. */
    public Reply put(String path, JsonElement body) {
        return send(request(path).PUT(json(body.toString())));
    }

    /** Applies a patch of the given media type to an object. */
    public Reply patch(String path, String contentType, String patch) {
        return send(request(path).setHeader("Content-Type", contentType).method("PATCH", json(patch)));
    }

    /** Deletes an object or a collection. */
    public Reply delete(String path) {
        return send(request(path).DELETE());
    }

    /** Deletes an object with options. */
    public Reply delete(String path, JsonElement options) {
        return send(request(path).method("DELETE", json(options.toString())));
    }

    /** Starts a watch; the path has a query with {@code watch=true}. */
    public WatchReader watch(String path) {
        return watch(path, "application/json");
    }

    /** Starts a watch with the given {@code Accept} header. */
    public WatchReader watch(String path, String accept) {
        HttpRequest request = authorized(HttpRequest.newBuilder(base.resolve(path)))
                .setHeader("Accept", accept)
                .GET()
                .build();
        HttpResponse<InputStream> response = exchange(request, HttpResponse.BodyHandlers.ofInputStream());
        return new WatchReader(response.statusCode(), response.body());
    }

    private Reply send(HttpRequest.Builder request) {
        HttpResponse<String> response = exchange(request.build(), HttpResponse.BodyHandlers.ofString());
        String type = response.headers().firstValue("Content-Type").orElse("");
        return new Reply(
                response.statusCode(),
                response.body(),
                type.startsWith("application/json")
                        ? JsonParser.parseString(response.body()).getAsJsonObject()
                        : new JsonObject());
    }

    private <T> HttpResponse<T> exchange(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
        try {
            return client.send(request, handler);
        } catch (IOException e) {
            throw new UncheckedIOException(request.method() + " " + request.uri(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted during " + request.method() + " " + request.uri(), e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return authorized(HttpRequest.newBuilder(base.resolve(path)))
                .timeout(timeout)
                .setHeader("Content-Type", "application/json")
                .setHeader("Accept", "application/json");
    }

    private HttpRequest.Builder authorized(HttpRequest.Builder request) {
        return token == null ? request : request.setHeader("Authorization", "Bearer " + token);
    }

    private static HttpRequest.BodyPublisher json(String body) {
        return HttpRequest.BodyPublishers.ofString(body);
    }

    /**
     * The server's response.
     *
     * @param code the HTTP status code
     * @param text the body as received
     * @param json the body as JSON, an empty object when it was something else
     */
    public record Reply(int code, String text, JsonObject json) {

        /** The value at a path such as {@code spec.holderIdentity} as text, empty when there is none. */
        public String at(String path) {
            JsonElement value = Metadata.at(json, path);
            return value == null ? "" : value.getAsString();
        }

        /** {@code reason} of a {@code Status}, empty when there is none. */
        public String reason() {
            return at("reason");
        }

        /** {@code message} of a {@code Status}, empty when there is none. */
        public String message() {
            return at("message");
        }

        /** The object's metadata. */
        public JsonObject metadata() {
            return json.getAsJsonObject("metadata");
        }

        /** The object's spec. */
        public JsonObject spec() {
            return json.getAsJsonObject("spec");
        }

        /** The object's or the list's resourceVersion. */
        public String resourceVersion() {
            return at("metadata.resourceVersion");
        }
    }
}
