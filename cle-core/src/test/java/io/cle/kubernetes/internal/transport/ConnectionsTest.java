package io.cle.kubernetes.internal.transport;

import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.http.trafficlistener.WiremockNetworkTrafficListener;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.kubernetes.client.util.ClientBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.okJson;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathEqualTo;
import static com.github.tomakehurst.wiremock.core.WireMockConfiguration.options;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Connections to a server that answers HTTP/2 pings but no requests, like a kube-apiserver that is cut off from etcd. */
@Timeout(60)
class ConnectionsTest {

    private static final Duration SHORT = Duration.ofMillis(600);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int LATE_MILLIS = 3_000;
    private static final String WATCHED = "/apis/coordination.k8s.io/v1/namespaces/watched/leases";
    private static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/shop/leases/orders";

    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final WireMockServer server = new WireMockServer(options()
            .httpDisabled(true)
            .dynamicHttpsPort()
            .bindAddress("127.0.0.1")
            .networkTrafficListener(new Connections(connections, closed)));
    private KubernetesTransport transport;

    @BeforeEach
    void start() throws Exception {
        server.start();
        transport = new OkHttpTransport(
                KubernetesAccess.of(new ClientBuilder()
                        .setBasePath("https://127.0.0.1:" + server.httpsPort())
                        .setVerifyingSsl(false)
                        .build()),
                "cle/test");
        serverAnswersAfter(0);
        assertThat(request(LONG)).isInstanceOf(ApiResponse.Answered.class);
    }

    @AfterEach
    void stop() {
        transport.close();
        server.stop();
    }

    @Test
    void areLeftAfterOneRequestWithoutAnAnswer() throws Exception {
        serverAnswersAfter(LATE_MILLIS);
        assertThat(request(SHORT)).isInstanceOf(ApiResponse.Unanswered.class);
        assertThat(connections).hasValue(1);
        serverAnswersAfter(0);

        assertThat(request(LONG)).isInstanceOf(ApiResponse.Answered.class);

        assertThat(connections).hasValue(2);
    }

    @Test
    void areLeftOnceForManyRequestsAtOnce() throws Exception {
        serverAnswersAfter(LATE_MILLIS);
        List<CompletionStage<ApiResponse>> together = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            together.add(send(SHORT));
        }
        for (CompletionStage<ApiResponse> one : together) {
            assertThat(one.toCompletableFuture().get(LONG.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOf(ApiResponse.Unanswered.class);
        }
        serverAnswersAfter(0);

        assertThat(request(LONG)).isInstanceOf(ApiResponse.Answered.class);

        assertThat(connections).hasValue(2);
    }

    @Test
    void areClosedOnceTheLastRequestOnThemIsOver() throws Exception {
        serverAnswersAfter(LATE_MILLIS);
        CompletionStage<ApiResponse> patient = send(LONG);
        assertThat(request(SHORT)).isInstanceOf(ApiResponse.Unanswered.class);
        assertThat(closed).hasValue(0);

        assertThat(patient.toCompletableFuture().get(LONG.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(ApiResponse.Answered.class);

        await().untilAsserted(() -> assertThat(closed).hasValue(1));
    }

    @Test
    void ofWatchesAreTheirOwnAndStayWhenARequestIsNotAnswered() throws Exception {
        WatchRecorder watch = openWatch();
        assertThat(connections).hasValue(2);
        serverAnswersAfter(LATE_MILLIS);
        assertThat(request(SHORT)).isInstanceOf(ApiResponse.Unanswered.class);
        serverAnswersAfter(0);

        assertThat(request(LONG)).isInstanceOf(ApiResponse.Answered.class);

        assertThat(watch.ended()).isFalse();
        assertThat(connections).hasValue(3);
    }

    @Test
    void thatAreAnsweredAreKept() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertThat(request(LONG)).isInstanceOf(ApiResponse.Answered.class);
        }

        assertThat(connections).hasValue(1);
    }

    /** Opens a long watch that has delivered an event. */
    private WatchRecorder openWatch() throws Exception {
        server.stubFor(any(urlPathEqualTo(WATCHED))
                .willReturn(okJson("{}\n".repeat(100)).withChunkedDribbleDelay(100, 60_000)));
        WatchRecorder watch = new WatchRecorder();
        transport.watch(
                new ApiRequest(Verb.WATCH, ResourceType.LEASES, "watched", null, Map.of("watch", "true"), null, LONG),
                watch);
        watch.nextEvent();
        return watch;
    }

    private void serverAnswersAfter(int millis) {
        server.stubFor(any(urlPathEqualTo(LEASE)).willReturn(okJson("{}").withFixedDelay(millis)));
    }

    private ApiResponse request(Duration timeout) throws Exception {
        return send(timeout).toCompletableFuture().get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    private CompletionStage<ApiResponse> send(Duration timeout) {
        return transport.send(new ApiRequest(Verb.GET, ResourceType.LEASES, "shop", "orders", Map.of(), null, timeout));
    }

    /** Counts connections. */
    private record Connections(AtomicInteger count, AtomicInteger closed) implements WiremockNetworkTrafficListener {

        @Override
        public void opened(Socket socket) {
            count.incrementAndGet();
        }

        @Override
        public void incoming(Socket socket, ByteBuffer bytes) {}

        @Override
        public void outgoing(Socket socket, ByteBuffer bytes) {}

        @Override
        public void closed(Socket socket) {
            closed.incrementAndGet();
        }
    }
}
