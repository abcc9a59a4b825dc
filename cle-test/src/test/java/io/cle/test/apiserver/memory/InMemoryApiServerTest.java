package io.cle.test.apiserver.memory;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The server as a function, as a simulation drives it. */
class InMemoryApiServerTest {

    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

    private final Recorder recorder = new Recorder();
    private final InMemoryApiServer server = server();

    @Test
    void answersTheSameInEveryRun() {
        assertThat(transcript(server())).isEqualTo(transcript(server()));
    }

    @Test
    void tellsWatchesBeforeTheRequestIsAnswered() {
        watch("0").start(recorder);

        JsonObject created =
                ((ServerResponse.Answer) server.handle(ApiServerRequest.post(LEASES, lease("a")))).object();

        assertThat(recorder.events).hasSize(1);
        assertThat(recorder.events.get(0).get("object")).isEqualTo(created);
    }

    @Test
    void keepsNothingOfTheCallersObjects() {
        JsonObject mine = lease("a");
        server.handle(ApiServerRequest.post(LEASES, mine));
        mine.getAsJsonObject("spec").addProperty("holderIdentity", "changed");

        JsonObject kept = ((ServerResponse.Answer) server.handle(ApiServerRequest.get(LEASES + "/a"))).object();

        assertThat(kept.getAsJsonObject("spec").get("holderIdentity").getAsString())
                .isEqualTo("me");
    }

    @Test
    void tellsABookmarkWhenDrivenToAndAsked() {
        WatchStream asked = (WatchStream) server.handle(ApiServerRequest.watch(LEASES, "0")
                .with("allowWatchBookmarks", "true")
                .with("timeoutSeconds", "300"));
        asked.start(recorder);
        WatchStream notAsked = watch("0");
        Recorder other = new Recorder();
        notAsked.start(other);

        asked.bookmark();
        notAsked.bookmark();

        assertThat(asked.timeoutSeconds()).isEqualTo(300);
        assertThat(recorder.events.get(0).get("type").getAsString()).isEqualTo("BOOKMARK");
        assertThat(recorder.events.get(0).toString())
                .contains("\"resourceVersion\":\"" + server.resourceVersion() + "\"");
        assertThat(other.events).isEmpty();
    }

    @Test
    void tellsNothingAfterTheClientHasHungUp() {
        WatchStream watch = watch("0");
        watch.start(recorder);
        watch.close();
        watch.close();
        server.handle(ApiServerRequest.post(LEASES, lease("a")));
        watch.bookmark();
        server.dropWatches();

        assertThat(recorder.events).isEmpty();
        assertThat(recorder.ends).isZero();
    }

    @Test
    void endsWatchesOnceWhenTheyAreDropped() {
        watch("0").start(recorder);

        server.dropWatches();
        server.dropWatches();

        assertThat(recorder.ends).isEqualTo(1);
    }

    @Test
    void endsAWatchFromBeforeACompactionWithAnError() {
        String before = Long.toString(server.resourceVersion());
        server.compact();

        watch(before).start(recorder);

        assertThat(recorder.events.get(0).get("type").getAsString()).isEqualTo("ERROR");
        assertThat(recorder.ends).isEqualTo(1);
    }

    @Test
    void emptiesADeletedNamespace() {
        server.handle(ApiServerRequest.post("/api/v1/namespaces", json("{\"metadata\": {\"name\": \"shop\"}}")));
        String leases = LEASES.replace("default", "shop");
        server.handle(ApiServerRequest.post(leases, lease("a")));

        server.handle(ApiServerRequest.delete("/api/v1/namespaces/shop"));

        assertThat(server.handle(ApiServerRequest.get(leases + "/a")).code()).isEqualTo(404);
        assertThat(server.handle(ApiServerRequest.post(leases, lease("a"))).code())
                .isEqualTo(404);
    }

    @Test
    void continuesAListAtAVersionOfNineteenDigits() {
        server.skipResourceVersions(1763596440927791000L - server.resourceVersion());
        server.handle(ApiServerRequest.post(LEASES, lease("a")));
        server.handle(ApiServerRequest.post(LEASES, lease("b")));
        JsonObject first = list("");

        JsonObject second =
                list(first.getAsJsonObject("metadata").get("continue").getAsString());

        assertThat(first.getAsJsonObject("metadata").get("resourceVersion").getAsString())
                .isEqualTo("1763596440927791002");
        assertThat(second.toString()).contains("\"name\":\"b\"");
    }

    private JsonObject list(String token) {
        return ((ServerResponse.Answer) server.handle(
                        ApiServerRequest.get(LEASES).with("limit", "1").with("continue", token)))
                .object();
    }

    private WatchStream watch(String from) {
        return (WatchStream) server.handle(ApiServerRequest.watch(LEASES, from));
    }

    private static String transcript(InMemoryApiServer server) {
        Recorder recorder = new Recorder();
        ((WatchStream) server.handle(ApiServerRequest.watch(LEASES, null))).start(recorder);
        server.handle(ApiServerRequest.post(LEASES, json("{\"metadata\": {\"generateName\": \"a-\"}}")));
        server.handle(ApiServerRequest.post(LEASES, lease("b")));
        server.handle(ApiServerRequest.mergePatch(LEASES + "/b", json("{\"spec\": {\"holderIdentity\": null}}")));
        server.handle(ApiServerRequest.delete(LEASES + "/b"));
        return recorder.events + " " + server.requests();
    }

    private static InMemoryApiServer server() {
        AtomicInteger uids = new AtomicInteger();
        return new InMemoryApiServer(
                () -> Instant.parse("2026-01-01T00:00:00Z"), () -> "uid-" + uids.incrementAndGet(), false);
    }

    private static JsonObject lease(String name) {
        return json("{\"metadata\": {\"name\": \"%s\"}, \"spec\": {\"holderIdentity\": \"me\"}}".formatted(name));
    }

    private static JsonObject json(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    private static final class Recorder implements WatchListener {
        private final List<JsonObject> events = new ArrayList<>();
        private int ends;

        @Override
        public void onEvent(JsonObject event) {
            events.add(event);
        }

        @Override
        public void onEnd() {
            ends++;
        }
    }
}
