package io.cle.kubernetes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.api.Subscription;
import io.cle.kubernetes.ApiRequest.Verb;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MemoryTransportTest {

    private final MemoryTransport transport = new MemoryTransport();

    @Test
    void aPatchMergesAndTakesOutWhatIsNull() {
        send(Verb.CREATE, null, """
                {"metadata": {"name": "orders", "labels": {"a": "1", "b": "2"}}, "spec": {"holder": "x"}}""");

        JsonObject patched = send(Verb.PATCH, "orders", """
                        {"metadata": {"labels": {"a": null}}, "spec": {"holder": "y"}, "status": {"new": {"none": null}}}""").body();

        assertThat(patched.getAsJsonObject("metadata").get("labels")).hasToString("{\"b\":\"2\"}");
        assertThat(patched.get("spec")).hasToString("{\"holder\":\"y\"}");
        assertThat(patched.get("status")).hasToString("{\"new\":{}}");
    }

    @Test
    void everyWriteHasANewVersionAndIsTold() {
        List<String> told = new ArrayList<>();
        Subscription watch = transport.watch(request(Verb.WATCH, null, null), new KubernetesTransport.WatchStream() {
            @Override
            public void onEvent(JsonObject event) {
                told.add(event.get("type").getAsString() + " " + version(event.getAsJsonObject("object")));
            }

            @Override
            public void onEnd(KubernetesTransport.WatchEnd end) {
                told.add("end");
            }
        });

        send(Verb.CREATE, null, """
                {"metadata": {"name": "orders"}}""");
        send(Verb.PATCH, "orders", "{}");
        send(Verb.DELETE, "orders", null);
        watch.close();
        send(Verb.CREATE, null, """
                {"metadata": {"name": "orders"}}""");

        assertThat(told).containsExactly("ADDED 2", "MODIFIED 3", "DELETED 4");
    }

    @Test
    void aListHasWhatIsThereAndItsVersion() {
        send(Verb.CREATE, null, """
                {"metadata": {"name": "orders"}}""");
        send(Verb.CREATE, null, """
                {"metadata": {"name": "bills"}}""");
        send(Verb.DELETE, "orders", null);

        JsonObject list = send(Verb.LIST, null, null).body();

        assertThat(list.getAsJsonArray("items")).hasSize(1);
        assertThat(version(list)).isEqualTo("4");
    }

    @Test
    void whatIsNotThereIsAnsweredAsAnApiServerDoes() {
        for (Verb verb : List.of(Verb.GET, Verb.PATCH, Verb.DELETE)) {
            ApiResponse.Answered answer = send(verb, "orders", verb == Verb.PATCH ? "{}" : null);

            assertThat(Answers.missesObject(request(verb, "orders", null), answer))
                    .isTrue();
        }
    }

    private static String version(JsonObject object) {
        return object.getAsJsonObject("metadata").get("resourceVersion").getAsString();
    }

    private ApiResponse.Answered send(Verb verb, @Nullable String name, @Nullable String body) {
        ApiRequest request = request(
                verb, name, body == null ? null : JsonParser.parseString(body).getAsJsonObject());
        return (ApiResponse.Answered)
                transport.send(request).toCompletableFuture().join();
    }

    private static ApiRequest request(Verb verb, @Nullable String name, @Nullable JsonObject body) {
        return new ApiRequest(verb, ResourceType.LEASES, "shop", name, Map.of(), body, Duration.ofSeconds(1));
    }
}
