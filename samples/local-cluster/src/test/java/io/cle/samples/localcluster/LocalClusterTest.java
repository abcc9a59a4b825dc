package io.cle.samples.localcluster;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;

import io.cle.ApiFormat;
import io.cle.Timings;
import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.internal.client.CandidateClient;
import io.cle.kubernetes.internal.client.ObjectClient;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.lock.internal.LockThreads;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

class LocalClusterTest {

    private static final Options ANYWHERE = new Options(0, 0, false);

    @Test
    void aCandidateOfTheLocalClusterIsElectedAndShownOnThePage() {
        try (LocalCluster cluster = LocalCluster.start(ANYWHERE);
                KubernetesTransport transport = OkHttpTransport.to(KubernetesAccess.at(cluster.url()));
                LockThreads threads = LockThreads.create("candidate")) {
            ObjectClient client = new ObjectClient(
                    transport, threads.loop(), new SplittableRandom(), Timings.DEFAULT.requestTimeout());
            ObjectKey lease = new ObjectKey("default", "orders");
            CandidateClient candidates = new CandidateClient(client, ApiFormat.CRD);
            Candidate candidate = Candidate.builder(new ObjectKey("default", "orders-1"), lease)
                    .renewTime(threads.loop().clock().wall())
                    .build();
            candidates.create(candidate);

            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                // A coordinator pings a candidate that was in its first list.
                candidates.renew(candidate.toBuilder()
                        .renewTime(threads.loop().clock().wall())
                        .build());
                assertThat(get(cluster.electionsUrl() + "/actuator/elections/default/orders"))
                        .contains("\"holder\":\"orders-1\"");
            });
        }
    }

    @Test
    void thePrintedCommandsCanBeTyped() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (LocalCluster cluster = LocalCluster.start(ANYWHERE)) {
            cluster.explain(new PrintStream(printed, true));

            assertThat(printed.toString(StandardCharsets.UTF_8))
                    .contains("--cle.kubernetes.base-url=" + cluster.url(), "kubectl --server " + cluster.url());
        }
    }

    @Test
    void aPortThatIsTakenIsNamed() {
        try (LocalCluster first = LocalCluster.start(ANYWHERE)) {
            int taken = URI.create(first.url()).getPort();

            assertThatExceptionOfType(UncheckedIOException.class)
                    .isThrownBy(() -> LocalCluster.start(new Options(taken, 0, false)))
                    .withMessageContaining(Integer.toString(taken));
        }
    }

    @Test
    void thePortsAreFixedUnlessOthersAreChosen() {
        assertThat(Options.parse()).isEqualTo(new Options(8001, 8002, false));
        assertThat(Options.parse("--port", "9000")).isEqualTo(new Options(9000, 9001, false));
        assertThat(Options.parse("--port=0", "--native")).isEqualTo(new Options(0, 0, true));
        assertThat(Options.parse("--elections-port=7000")).isEqualTo(new Options(8001, 7000, false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--prot=1", "--port", "--port=http", "--port=99999"})
    void anUnknownArgumentIsRefused(String argument) {
        assertThatIllegalArgumentException().isThrownBy(() -> Options.parse(argument));
    }

    private static String get(String url) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
