package io.cle.test.hostile;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.google.gson.JsonObject;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.json.Json;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport.WatchEnd;
import io.cle.kubernetes.internal.transport.KubernetesTransport.WatchStream;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.kubernetes.client.openapi.ApiClient;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.BufferedSource;
import okio.Okio;
import okio.Source;
import okio.Timeout;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The transport that ships, on answers whose bytes are hostile and come in pieces that are cut anywhere. No socket is opened. */
class HostileStreamsTest {

    private static final long PATIENCE = 60;

    /** What the transport keeps of a line before it gives the watch up. */
    private static final int LONGEST_LINE = 16 * 1024 * 1024;

    private static final List<String> CONTENT_TYPES = List.of(
            "application/json",
            "application/json; charset=utf-16",
            "application/json; charset=none",
            "text/html",
            "application/vnd.kubernetes.protobuf");

    /** What a watch has delivered. */
    private static final class Recorder implements WatchStream {
        final List<JsonObject> events = new ArrayList<>();
        final CompletableFuture<WatchEnd> end = new CompletableFuture<>();

        @Override
        public void onEvent(JsonObject event) {
            assertThat(end).isNotDone();
            events.add(event);
        }

        @Override
        public void onEnd(WatchEnd how) {
            assertThat(end.complete(how)).as("ends once").isTrue();
        }
    }

    /** Bytes that come in pieces. */
    private static final class Pieces implements Source {
        private final Buffer bytes = new Buffer();
        private final HostileText cuts;

        Pieces(byte[] bytes, HostileText cuts) {
            this.bytes.write(bytes);
            this.cuts = cuts;
        }

        @Override
        public long read(Buffer sink, long count) {
            return bytes.read(sink, Math.min(count, 1 + cuts.below(cuts.below(5) == 0 ? 8000 : 40)));
        }

        @Override
        public Timeout timeout() {
            return Timeout.NONE;
        }

        @Override
        public void close() {}
    }

    private static OkHttpTransport answering(int status, String contentType, Source source) {
        ResponseBody body = new ResponseBody() {
            @Override
            public MediaType contentType() {
                return MediaType.parse(contentType);
            }

            @Override
            public long contentLength() {
                return -1;
            }

            @Override
            public BufferedSource source() {
                return buffered;
            }

            private final BufferedSource buffered = Okio.buffer(source);
        };
        OkHttpClient client = new OkHttpClient.Builder()
                .addInterceptor(chain -> new Response.Builder()
                        .request(chain.request())
                        .protocol(Protocol.HTTP_1_1)
                        .code(status)
                        .message("")
                        .body(body)
                        .build())
                .build();
        ApiClient api = new ApiClient(client);
        api.setBasePath("http://127.0.0.1:1");
        return new OkHttpTransport(KubernetesAccess.of(api), "test");
    }

    private static ApiRequest request(ApiRequest.Verb verb) {
        return new ApiRequest(verb, ResourceType.LEASES, "shop", null, Map.of(), null, Duration.ofSeconds(30));
    }

    private static Recorder watch(OkHttpTransport transport) throws Exception {
        Recorder recorder = new Recorder();
        transport.watch(request(ApiRequest.Verb.WATCH), recorder);
        recorder.end.get(PATIENCE, TimeUnit.SECONDS);
        return recorder;
    }

    /** A stream of events, some of them hostile, and what a reader must decode. */
    private record Stream(Buffer bytes, List<JsonObject> events, boolean whole) {

        static Stream of(HostileText text) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            List<JsonObject> events = new ArrayList<>();
            boolean whole = true;
            for (int lines = text.below(6); lines > 0; lines--) {
                JsonObject event = new JsonObject();
                event.addProperty(
                        "type", text.oneOf(List.of("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR", "?")));
                event.add("object", text.oneOf(ValidObjects.ALL));
                byte[] line = (text.below(4) == 0 ? text.mutatedText(event) : event.toString())
                        .replace("\n", "")
                        .getBytes(StandardCharsets.UTF_8);
                if (text.below(6) == 0) {
                    line = text.corrupted(line);
                }
                bytes.writeBytes(line);
                bytes.writeBytes(text.below(3) == 0 ? new byte[] {'\r', '\n', '\n'} : new byte[] {'\n'});
            }
            if (text.below(4) == 0) {
                bytes.writeBytes("{\"type\": \"ADDED\", \"object\": {}}".getBytes(StandardCharsets.UTF_8));
                whole = false;
            }
            byte[] all = bytes.toByteArray();
            String decoded = new String(all, StandardCharsets.UTF_8);
            String[] lines = decoded.split("\n", -1);
            for (int i = 0; i < lines.length - 1; i++) {
                if (lines[i].isBlank()) {
                    continue;
                }
                try {
                    events.add(Json.parseObject(lines[i]));
                } catch (MalformedObjectException e) {
                    return new Stream(new Buffer().write(all), events, false);
                }
            }
            return new Stream(new Buffer().write(all), events, whole);
        }
    }

    @Test
    void aWatchDeliversWholeEventsUntilTheFirstThatIsNone() {
        HostileSeeds.run(500, HostileStreamsTest::readStream);
    }

    private static void readStream(long seed) throws Exception {
        HostileText text = new HostileText(seed);
        Stream stream = Stream.of(text);
        try (OkHttpTransport transport = answering(
                200, text.oneOf(CONTENT_TYPES), new Pieces(stream.bytes().readByteArray(), text))) {
            Recorder recorder = watch(transport);

            assertThat(recorder.events).isEqualTo(stream.events());
            assertThat(recorder.end.get())
                    .isInstanceOf(stream.whole() ? WatchEnd.Completed.class : WatchEnd.Broken.class);
        }
    }

    @Test
    void anyAnswerOfAnyStatusIsAResponse() {
        HostileSeeds.run(500, HostileStreamsTest::readAnswer);
    }

    private static void readAnswer(long seed) throws Exception {
        HostileText text = new HostileText(seed);
        byte[] bytes = text.mutatedText(text.oneOf(ValidObjects.ALL)).getBytes(StandardCharsets.UTF_8);
        byte[] body = text.below(3) == 0 ? text.corrupted(bytes) : bytes;
        int status = text.oneOf(List.of(200, 201, 204, 302, 404, 410, 422, 500, 599));
        ApiRequest request = request(text.oneOf(List.of(ApiRequest.Verb.GET, ApiRequest.Verb.LIST)));
        try (OkHttpTransport transport = answering(status, text.oneOf(CONTENT_TYPES), new Pieces(body, text))) {
            ApiResponse response = (request.verb() == ApiRequest.Verb.LIST
                            ? transport.list(request, item -> {})
                            : transport.send(request))
                    .toCompletableFuture()
                    .get(PATIENCE, TimeUnit.SECONDS);

            assertThat(response.toString()).isNotEmpty();
        }
    }

    @Test
    void aLineWithoutEndBreaksTheWatchBeforeItFillsTheMemory() throws Exception {
        long[] delivered = new long[1];
        Source endless = new Source() {
            @Override
            public long read(Buffer sink, long count) {
                sink.writeUtf8("x".repeat(8192));
                delivered[0] += 8192;
                return 8192;
            }

            @Override
            public Timeout timeout() {
                return Timeout.NONE;
            }

            @Override
            public void close() {}
        };
        try (OkHttpTransport transport = answering(200, "application/json", endless)) {
            assertThat(watch(transport).end.get()).isInstanceOf(WatchEnd.Broken.class);
            assertThat(delivered[0]).isLessThan(LONGEST_LINE + 100_000);
        }
    }
}
