package io.cle.kubernetes.internal.login;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import com.google.gson.JsonObject;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.KubernetesTransport.WatchEnd;
import io.cle.kubernetes.internal.transport.KubernetesTransport.WatchStream;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.store.internal.Subscription;
import io.kubernetes.client.openapi.ApiClient;
import okhttp3.OkHttpClient;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Login files that are replaced while requests are sent to a TLS server. */
@Timeout(60)
class LoginTest {

    private static final HeldCertificate AUTHORITY = TlsApiServer.authority("authority");
    private static final HeldCertificate NEXT_AUTHORITY = TlsApiServer.authority("next authority");

    private final HandClock clock = new HandClock();

    @TempDir
    private Path directory;

    private TlsApiServer server;
    private KubernetesTransport transport;

    @AfterEach
    void close() {
        transport.close();
        server.close();
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    /** Connects to {@link #server}, whose certificate is signed by {@link #AUTHORITY} at first. */
    private void connect() throws IOException {
        OkHttpClient client = Login.client(
                new OkHttpClient.Builder().readTimeout(Duration.ZERO),
                RenewedFile.token(write("token", "old\n"), clock),
                RenewedFile.authorities(write("ca.crt", AUTHORITY.certificatePem()), clock));
        transport = new OkHttpTransport(KubernetesAccess.of(new ApiClient(client).setBasePath(server.url())), "test");
    }

    private ApiResponse send() throws Exception {
        ApiRequest request =
                new ApiRequest(Verb.GET, ResourceType.LEASES, "shop", "orders", Map.of(), null, Duration.ofSeconds(10));
        return transport.send(request).toCompletableFuture().get(30, TimeUnit.SECONDS);
    }

    private void assertThatARequestIsAnswered() throws Exception {
        assertThat(send())
                .isInstanceOfSatisfying(
                        ApiResponse.Answered.class,
                        answer -> assertThat(answer.status()).isEqualTo(200));
    }

    private static final class OpenWatch implements WatchStream, AutoCloseable {

        private final BlockingQueue<JsonObject> events = new LinkedBlockingQueue<>();
        private final BlockingQueue<WatchEnd> ends = new LinkedBlockingQueue<>();
        private final Subscription subscription;

        OpenWatch(KubernetesTransport transport) throws InterruptedException {
            subscription = transport.watch(
                    new ApiRequest(
                            Verb.WATCH,
                            ResourceType.LEASES,
                            "shop",
                            null,
                            Map.of("watch", "true"),
                            null,
                            Duration.ofSeconds(10)),
                    this);
            assertThat(events.poll(20, TimeUnit.SECONDS)).isNotNull();
        }

        @Override
        public void onEvent(JsonObject event) {
            events.add(event);
        }

        @Override
        public void onEnd(WatchEnd end) {
            ends.add(end);
        }

        @Override
        public void close() {
            subscription.close();
        }
    }

    @Nested
    class CertificateAuthorities {

        private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(2);

        private void replaceServer(HeldCertificate authority) {
            int port = server.port();
            server.close();
            server = new TlsApiServer(port, TlsApiServer.server(authority), null);
        }

        @Test
        void certificateAuthoritiesChangeWithoutARequestThatFailsIfBothAreInTheFileInBetween() throws Exception {
            server = new TlsApiServer(0, TlsApiServer.server(AUTHORITY), null);
            connect();
            for (int renewal = 0; renewal < 150; renewal++) {
                if (renewal == 10) {
                    write("ca.crt", AUTHORITY.certificatePem() + NEXT_AUTHORITY.certificatePem());
                } else if (renewal == 50) {
                    replaceServer(NEXT_AUTHORITY);
                } else if (renewal == 90) {
                    write("ca.crt", NEXT_AUTHORITY.certificatePem());
                }
                assertThatARequestIsAnswered();
                clock.advance(BETWEEN_RENEWALS);
            }
        }

        @Test
        void certificateAuthoritiesAreNotTrustedAnyMoreWhenTheyAreTakenOutOfTheFile() throws Exception {
            server = new TlsApiServer(0, TlsApiServer.server(AUTHORITY), null);
            connect();
            assertThatARequestIsAnswered();
            write("ca.crt", NEXT_AUTHORITY.certificatePem());
            clock.advance(RenewedFile.AGE);

            assertThat(send()).isInstanceOf(ApiResponse.Unanswered.class);
        }

        @Test
        void certificateAuthoritiesStayAsTheyWereWhileTheFileIsHalfWritten() throws Exception {
            server = new TlsApiServer(0, TlsApiServer.server(AUTHORITY), null);
            connect();
            write("ca.crt", AUTHORITY.certificatePem().substring(0, 100));
            clock.advance(RenewedFile.AGE);

            assertThatARequestIsAnswered();
        }
    }

    @Nested
    class AToken {

        private void connectWithToken() throws IOException {
            server = new TlsApiServer(0, TlsApiServer.server(AUTHORITY), null);
            connect();
        }

        @Test
        void aTokenIsSentWithRequestsAndWatches() throws Exception {
            connectWithToken();

            try (OpenWatch watch = new OpenWatch(transport)) {
                assertThatARequestIsAnswered();
                assertThat(watch.ends).isEmpty();
            }

            assertThat(server.requests())
                    .hasSize(2)
                    .extracting(TlsApiServer.Seen::authorization)
                    .containsOnly("Bearer old");
        }

        @Test
        void aTokenIsReadAgainAfterAMinute() throws Exception {
            connectWithToken();
            write("token", "next\n");
            assertThatARequestIsAnswered();
            assertThat(server.last().authorization()).isEqualTo("Bearer old");

            clock.advance(RenewedFile.AGE);

            assertThatARequestIsAnswered();
            assertThat(server.last().authorization()).isEqualTo("Bearer next");
        }

        @Test
        void aTokenIsTheOldOneWhileItsFileIsEmptyOrMissing() throws Exception {
            connectWithToken();
            Files.delete(directory.resolve("token"));
            clock.advance(RenewedFile.AGE);
            assertThatARequestIsAnswered();
            write("token", "");
            clock.advance(RenewedFile.AGE);
            assertThatARequestIsAnswered();

            assertThat(server.last().authorization()).isEqualTo("Bearer old");
        }
    }
}
