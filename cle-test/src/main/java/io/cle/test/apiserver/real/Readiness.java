package io.cle.test.apiserver.real;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.jspecify.annotations.Nullable;

/** Asks processes over HTTP how they are. */
final class Readiness {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Pattern REVISION = Pattern.compile("\"revision\":\"(\\d+)\"");

    private Readiness() {}

    /** Whether the address answers with 200. */
    static boolean answers(URI address, @Nullable SSLContext ssl, @Nullable String token) {
        HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(TIMEOUT);
        if (ssl != null) {
            client.sslContext(ssl);
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(TIMEOUT);
        if (token != null) {
            request.setHeader("Authorization", "Bearer " + token);
        }
        try {
            return send(client.build(), request.build()).statusCode() == 200;
        } catch (IOException e) {
            // No listener yet.
            return false;
        }
    }

    /** What an etcd says of itself and of its leader: {@code leader} and {@code header.member_id} are decimal numbers. */
    static JsonObject status(URI etcd) {
        try {
            String answer = send(HttpClient.newHttpClient(), post(etcd.resolve("/v3/maintenance/status"), "{}"))
                    .body();
            return JsonParser.parseString(answer).getAsJsonObject();
        } catch (IOException e) {
            throw new UncheckedIOException("etcd cannot be reached", e);
        }
    }

    /** Makes an etcd forget all that has been before its present revision. */
    static void compact(URI etcd) {
        HttpClient client = HttpClient.newHttpClient();
        try {
            // Any read returns the present revision; this one is of a key that does not exist.
            String answer = send(client, post(etcd.resolve("/v3/kv/range"), "{\"key\": \"AA==\"}"))
                    .body();
            Matcher revision = REVISION.matcher(answer);
            if (!revision.find()) {
                throw new IllegalStateException("etcd doesn't say its revision: " + answer);
            }
            String body = "{\"revision\": \"" + revision.group(1) + "\", \"physical\": true}";
            HttpResponse<String> compacted = send(client, post(etcd.resolve("/v3/kv/compaction"), body));
            // kube-apiserver compacts, too, and nothing may have been written since.
            if (compacted.statusCode() != 200 && !compacted.body().contains("has been compacted")) {
                throw new IllegalStateException("etcd doesn't compact: " + compacted.body());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("etcd cannot be reached", e);
        }
    }

    private static HttpRequest post(URI address, String body) {
        return HttpRequest.newBuilder(address)
                .timeout(TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private static HttpResponse<String> send(HttpClient client, HttpRequest request) throws IOException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while asking " + request.uri(), e);
        }
    }
}
