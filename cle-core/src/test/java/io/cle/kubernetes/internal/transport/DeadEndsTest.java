package io.cle.kubernetes.internal.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.KubernetesTransport.WatchEnd;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** The real transport against servers that accept connections but never answer, like a load balancer without backends. */
@Timeout(60)
class DeadEndsTest {

    private static final Duration SOON = Duration.ofMillis(300);

    /** Enough for a handshake on a busy machine. */
    private static final Duration A_WHILE = Duration.ofSeconds(5);

    private static final Duration NEVER = Duration.ofHours(1);

    private final List<AutoCloseable> toClose = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : toClose) {
            one.close();
        }
    }

    private <T extends AutoCloseable> T closed(T afterwards) {
        toClose.add(afterwards);
        return afterwards;
    }

    private KubernetesTransport transport(String url, Duration connectTimeout, Duration openTimeout) {
        ApiClient client =
                new ClientBuilder().setBasePath(url).setVerifyingSsl(false).build();
        return closed(new OkHttpTransport(KubernetesAccess.of(client), "cle/test", connectTimeout, openTimeout));
    }

    /** Returns an address where connections succeed, but no thread accepts them. */
    private String deadEnd() throws IOException {
        ServerSocket socket = closed(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        return "127.0.0.1:" + socket.getLocalPort();
    }

    private static ApiRequest request(Verb verb) {
        return new ApiRequest(verb, ResourceType.LEASES, "shop", null, Map.of(), null, NEVER);
    }

    private static WatchRecorder watch(KubernetesTransport transport) {
        WatchRecorder recorder = new WatchRecorder();
        transport.watch(request(Verb.WATCH), recorder);
        return recorder;
    }

    @Test
    void aHandshakeThatComesToAStopOpensNoWatch() throws Exception {
        KubernetesTransport transport = transport("https://" + deadEnd(), NEVER, SOON);

        assertThat(watch(transport).end()).isInstanceOf(WatchEnd.NotOpened.class);
    }

    @Test
    void aHandshakeThatComesToAStopTakesARequestNoLongerThanItsTimeout() throws Exception {
        KubernetesTransport transport = transport("https://" + deadEnd(), NEVER, NEVER);
        ApiRequest request = new ApiRequest(Verb.LIST, ResourceType.LEASES, "shop", null, Map.of(), null, SOON);

        ApiResponse response = transport.send(request).toCompletableFuture().get(20, TimeUnit.SECONDS);

        assertThat(response).isInstanceOf(ApiResponse.Unanswered.class);
    }

    @Test
    void aServerThatDoesNotAnswerOpensNoWatch() throws Exception {
        KubernetesTransport transport = transport("http://" + deadEnd(), NEVER, SOON);

        assertThat(watch(transport).end()).isInstanceOf(WatchEnd.NotOpened.class);
    }

    @Test
    void aWatchThatIsOpenMayBeSilentForLongerThanHandshakeAndOpeningMayTake() throws Exception {
        StreamingServer plain = closed(new StreamingServer());
        TlsWatchServer http1 = closed(new TlsWatchServer(false));
        TlsWatchServer http2 = closed(new TlsWatchServer(true));
        Map<String, WatchRecorder> open = new LinkedHashMap<>();
        for (String url : List.of(plain.url(), http1.url(), http2.url())) {
            open.put(url, watch(transport(url, A_WHILE, A_WHILE)));
        }
        StreamingServer.Stream stream = plain.next();
        http1.awaitOpened();
        http2.awaitOpened();

        assertThat(watch(transport("http://" + deadEnd(), A_WHILE, A_WHILE)).end())
                .as("opened later with the same timeouts, but already ended")
                .isInstanceOf(WatchEnd.NotOpened.class);
        stream.write("{'type': 'BOOKMARK'}\n");
        http1.tell();
        http2.tell();

        for (Map.Entry<String, WatchRecorder> one : open.entrySet()) {
            assertThat(one.getValue().nextEvent()).as(one.getKey()).isNotNull();
            assertThat(one.getValue().ends).as(one.getKey()).isEmpty();
        }
    }
}
