package io.cle.kubernetes.internal.transport;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.KubernetesTransport.WatchEnd;
import io.cle.store.internal.Subscription;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Watches of the real transport, on streams that healthy servers don't send. */
@Timeout(60)
class WatchStreamsTest {

    private static final long PATIENCE = 20;

    private StreamingServer server;
    private KubernetesTransport transport;

    @BeforeEach
    void start() throws IOException {
        server = new StreamingServer();
        transport = OkHttpTransport.to(KubernetesAccess.at(server.url()));
    }

    @AfterEach
    void stop() {
        transport.close();
        server.close();
    }

    private static ApiRequest watchRequest() {
        return new ApiRequest(
                Verb.WATCH,
                ResourceType.LEASES,
                "shop",
                null,
                Map.of("watch", "true", "fieldSelector", "metadata.name=orders"),
                null,
                Duration.ofMinutes(30));
    }

    private WatchRecorder watch() {
        WatchRecorder recorder = new WatchRecorder();
        transport.watch(watchRequest(), recorder);
        return recorder;
    }

    @Test
    void eventsArriveOneByOneAsTheyAreSent() throws Exception {
        WatchRecorder recorder = watch();
        StreamingServer.Stream stream = server.next();

        stream.write("{'type': 'ADDED', 'object': {'a': 1}}\n");
        assertThat(recorder.nextEvent()).isEqualTo(FakeTransport.json("{'type': 'ADDED', 'object': {'a': 1}}"));
        stream.write("{'type': 'MODIFIED',").write(" 'object': {}}\n\n{'type': 'DELETED'}\n");
        assertThat(recorder.nextEvent().get("type").getAsString()).isEqualTo("MODIFIED");
        assertThat(recorder.nextEvent().get("type").getAsString()).isEqualTo("DELETED");
        stream.end();

        assertThat(recorder.end()).isEqualTo(new WatchEnd.Completed());
        assertThat(stream.uri)
                .startsWith("/apis/coordination.k8s.io/v1/namespaces/shop/leases?")
                .contains("fieldSelector=metadata.name%3Dorders");
    }

    @Test
    void aLineThatIsNoJsonBreaksTheWatch() throws Exception {
        WatchRecorder recorder = watch();

        server.next().write("{'type': 'ADDED'}\nnonsense\n");

        assertThat(recorder.nextEvent()).isNotNull();
        assertThat(recorder.end())
                .isInstanceOfSatisfying(
                        WatchEnd.Broken.class,
                        broken -> assertThat(broken.message()).contains("nonsense"));
    }

    @Test
    void halfALineBreaksTheWatch() throws Exception {
        WatchRecorder recorder = watch();

        server.next().write("{'type': 'ADD").end();

        assertThat(recorder.end()).isInstanceOf(WatchEnd.Broken.class);
        assertThat(recorder.events).isEmpty();
    }

    @Test
    void aConnectionThatBreaksBreaksTheWatch() throws Exception {
        WatchRecorder recorder = watch();

        server.next().write("{'type': 'ADDED'}\n");
        assertThat(recorder.nextEvent()).isNotNull();
        server.close();

        assertThat(recorder.end()).isInstanceOf(WatchEnd.Broken.class);
    }

    @Test
    void aServerThatIsNotThereBreaksTheWatch() throws Exception {
        server.close();

        assertThat(watch().end()).isInstanceOf(WatchEnd.NotOpened.class);
    }

    @Test
    void aWatchThatIsCutEndsAndFreesItsThread() throws Exception {
        WatchRecorder recorder = new WatchRecorder();
        Subscription subscription = transport.watch(watchRequest(), recorder);
        server.next();

        subscription.close();

        assertThat(recorder.end()).isNotNull().isNotInstanceOf(WatchEnd.Completed.class);
        assertThat(recorder.ends).isEmpty();
    }

    @Test
    void manyWatchesDoNotKeepEachOtherOrOtherRequestsWaiting() throws Exception {
        List<WatchRecorder> recorders = new ArrayList<>();
        List<StreamingServer.Stream> streams = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            recorders.add(watch());
            streams.add(server.next());
        }

        ApiRequest read =
                new ApiRequest(Verb.GET, ResourceType.LEASES, "shop", "orders", Map.of(), null, Duration.ofSeconds(20));
        var answer = transport.send(read).toCompletableFuture();
        server.next().write("{'kind': 'Lease'}").end();

        assertThat(answer.get(PATIENCE, TimeUnit.SECONDS)).isInstanceOf(ApiResponse.Answered.class);
        for (StreamingServer.Stream stream : streams) {
            stream.write("{'type': 'BOOKMARK'}\n");
        }
        for (WatchRecorder recorder : recorders) {
            assertThat(recorder.nextEvent()).isNotNull();
        }
    }

    @Test
    void closingEndsAllWatchesAndNoThreadKeepsTheProcessAlive() throws Exception {
        WatchRecorder recorder = watch();
        server.next();
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().matches("(cle-kubernetes-|OkHttp).*"))
                .isNotEmpty()
                .allMatch(Thread::isDaemon);

        transport.close();

        assertThat(recorder.end()).isNotNull().isNotInstanceOf(WatchEnd.Completed.class);
        WatchRecorder late = watch();
        assertThat(late.end()).isInstanceOf(WatchEnd.NotOpened.class);
    }
}
