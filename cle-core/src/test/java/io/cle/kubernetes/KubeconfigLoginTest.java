package io.cle.kubernetes;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.cle.kubernetes.internal.login.TlsApiServer;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.OkHttpTransport;
import io.cle.kubernetes.internal.transport.ResourceType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Each login of a kubeconfig, and that of a pod, against a server with TLS. */
@Timeout(60)
class KubeconfigLoginTest {

    private static final HeldCertificate AUTHORITY = TlsApiServer.authority("authority");
    private static final HeldCertificate CLIENT = TlsApiServer.client(AUTHORITY, "client");

    @TempDir
    private Path directory;

    private TlsApiServer server;
    private KubernetesTransport transport;

    @BeforeEach
    void start() throws IOException {
        server = new TlsApiServer(0, TlsApiServer.server(AUTHORITY), null);
        write("ca.crt", AUTHORITY.certificatePem());
        write("client.crt", CLIENT.certificatePem());
        write("client.key", CLIENT.privateKeyPkcs8Pem());
    }

    @AfterEach
    void close() {
        if (transport != null) {
            transport.close();
        }
        server.close();
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private static String base64(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    }

    private KubernetesAccess access(String user) throws IOException {
        return access(Map.of("certificate-authority", "ca.crt"), user);
    }

    private KubernetesAccess access(Map<String, String> cluster, String user) throws IOException {
        return KubernetesAccess.of(write("config", TlsApiServer.kubeconfig(server.url(), cluster, user)));
    }

    private CompletableFuture<ApiResponse> send(Duration timeout) {
        ApiRequest request = new ApiRequest(Verb.GET, ResourceType.LEASES, "shop", "orders", Map.of(), null, timeout);
        return transport.send(request).toCompletableFuture();
    }

    private ApiResponse send() throws Exception {
        return send(Duration.ofSeconds(20)).get(30, TimeUnit.SECONDS);
    }

    private void assertThatARequestIsAnsweredBy(KubernetesAccess access) throws Exception {
        transport = OkHttpTransport.to(access);
        assertThat(send())
                .isInstanceOfSatisfying(
                        ApiResponse.Answered.class,
                        answer -> assertThat(answer.status()).isEqualTo(200));
    }

    private void assertThatNoRequestIsAnsweredBy(KubernetesAccess access) throws Exception {
        transport = OkHttpTransport.to(access);
        int before = server.requests().size();
        assertThat(send()).isInstanceOf(ApiResponse.Unanswered.class);
        assertThat(server.requests()).hasSize(before);
    }

    private void needClientCertificate() {
        int port = server.port();
        server.close();
        server = new TlsApiServer(port, TlsApiServer.server(AUTHORITY), AUTHORITY);
    }

    @Nested
    class AClientCertificate {

        @BeforeEach
        void need() {
            needClientCertificate();
        }

        @Test
        void aClientCertificateMayBeInTheKubeconfig() throws Exception {
            assertThatARequestIsAnsweredBy(access("client-certificate-data: " + base64(CLIENT.certificatePem())
                    + ", client-key-data: " + base64(CLIENT.privateKeyPkcs8Pem())));

            assertThat(server.last().subject()).isEqualTo("CN=client");
        }

        @Test
        void aClientCertificateMayBeInFilesBesideTheKubeconfig() throws Exception {
            assertThatARequestIsAnsweredBy(access("client-certificate: client.crt, client-key: client.key"));

            assertThat(server.last().subject()).isEqualTo("CN=client");
        }

        @Test
        void aClientCertificateMayComeWithAToken() throws Exception {
            assertThatARequestIsAnsweredBy(access("client-certificate: client.crt, client-key: client.key, token: t"));

            assertThat(server.last().subject()).isEqualTo("CN=client");
            assertThat(server.last().authorization()).isEqualTo("Bearer t");
        }

        @Test
        void aClientCertificateIsRefusedWithTheReasonIfTheKeyCannotBeRead() {
            assertThatThrownBy(() -> access("client-certificate-data: " + base64(CLIENT.certificatePem())
                            + ", client-key-data: bm90aGluZw=="))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("no PEM block with a private key")
                    .hasMessageNotContaining("Exception");
        }

        @Test
        void aClientCertificateIsRefusedWithoutItsKey() {
            assertThatThrownBy(() -> access("client-certificate: client.crt"))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("client-certificate without a client-key");
        }

        @Test
        void aClientCertificateIsRefusedIfItsFileIsMissing() {
            assertThatThrownBy(() -> access("client-certificate: missing.crt, client-key: client.key"))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining(directory.resolve("missing.crt").toString());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"htps://127.0.0.1:6443", ""})
    void aServerThatIsNoAddressIsNamedWithTheKubeconfig(String address) throws Exception {
        Path file = write("config", TlsApiServer.kubeconfig(address, Map.of(), "token: t"));

        assertThatThrownBy(() -> KubernetesAccess.of(file))
                .isInstanceOf(NoClusterConfigurationException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("server '" + address + "' isn't the address of an API server");
    }

    @Nested
    class TheServersCertificate {

        @Test
        void theServersCertificateCannotBeVerifiedByAnAuthorityThatIsNotBase64() {
            assertThatThrownBy(() -> access(Map.of("certificate-authority-data", "LS0tLS1C1"), "token: t"))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("its certificate-authority-data isn't base64");
        }

        @Test
        void theServersCertificateCannotBeUnverifiedIfThereIsAnAuthority() {
            assertThatThrownBy(() -> access(
                            Map.of("certificate-authority", "ca.crt", "insecure-skip-tls-verify", "true"), "token: t"))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("insecure-skip-tls-verify: true")
                    .hasMessageContaining("remove one of them");
        }

        @Test
        void theServersCertificateMayBeOfAnAuthorityInTheKubeconfig() throws Exception {
            assertThatARequestIsAnsweredBy(
                    access(Map.of("certificate-authority-data", base64(AUTHORITY.certificatePem())), "token: t"));
        }

        @Test
        void theServersCertificateIsRefusedIfItIsOfAnotherAuthority() throws Exception {
            write("ca.crt", TlsApiServer.authority("another").certificatePem());

            assertThatNoRequestIsAnsweredBy(access("token: t"));
        }

        @Test
        void theServersCertificateIsRefusedWithoutAnAuthority() throws Exception {
            assertThatNoRequestIsAnsweredBy(access(Map.of(), "token: t"));
        }

        @Test
        void theServersCertificateMayBeAnyIfItIsNotVerified() throws Exception {
            assertThatARequestIsAnsweredBy(access(
                    Map.of("insecure-skip-tls-verify", "true", "tls-server-name", "kubernetes.example"), "token: t"));
            assertThat(server.last().authorization()).isEqualTo("Bearer t");
        }

        @Test
        void theServersCertificateHasTheNameThatTheKubeconfigSays() throws Exception {
            int port = server.port();
            server.close();
            server = new TlsApiServer(port, TlsApiServer.server(AUTHORITY, "kubernetes.example"), null);

            assertThatARequestIsAnsweredBy(access(
                    Map.of("certificate-authority", "ca.crt", "tls-server-name", "kubernetes.example"), "token: t"));
        }

        @Test
        void theServersCertificateIsRefusedIfItHasAnotherName() throws Exception {
            assertThatNoRequestIsAnsweredBy(access(
                    Map.of("certificate-authority", "ca.crt", "tls-server-name", "kubernetes.example"), "token: t"));
        }

        @Test
        void theServersCertificateIsVerifiedByTheApiClientToo() throws Exception {
            String url = server.url();
            OkHttpClient client = access("token: t").apiClient().getHttpClient();
            try (Response response = client.newCall(
                            new Request.Builder().url(url + "/version").build())
                    .execute()) {
                assertThat(response.code()).isEqualTo(200);
            }
            assertThat(server.last().authorization()).isEqualTo("Bearer t");

            write("ca.crt", TlsApiServer.authority("another").certificatePem());
            assertThatNoRequestIsAnsweredBy(
                    KubernetesAccess.of(access("token: u").apiClient()));
        }
    }

    @Nested
    class AnotherLogin {

        @ParameterizedTest
        @CsvSource({
            "token: t, Bearer t",
            "tokenFile: token, Bearer of the file",
            "'token: t, tokenFile: token', Bearer of the file",
            "'username: me, password: secret', Basic bWU6c2VjcmV0"
        })
        void anotherLoginIsShownAsAHeader(String user, String authorization) throws Exception {
            write("token", "of the file\n");

            assertThatARequestIsAnsweredBy(access(user));

            assertThat(server.last().authorization()).isEqualTo(authorization);
        }

        @Test
        void anotherLoginMayBeNone() throws Exception {
            assertThatARequestIsAnsweredBy(access(""));

            assertThat(server.last().authorization()).isNull();
        }

        @Test
        void anotherLoginIsThatOfThePodWithoutAKubeconfig() throws Exception {
            write("token", "of the pod\n");
            URI address = URI.create(server.url());

            assertThatARequestIsAnsweredBy(KubernetesAccess.find(
                    new KubernetesAccess.Surroundings(
                            Map.of(
                                    "KUBERNETES_SERVICE_HOST",
                                    address.getHost(),
                                    "KUBERNETES_SERVICE_PORT",
                                    String.valueOf(address.getPort())),
                            null,
                            directory),
                    null));

            assertThat(server.last().authorization()).isEqualTo("Bearer of the pod");
        }

        @Test
        void anotherLoginIsNoneThatClientJavaDoesNotKnow() {
            assertThatThrownBy(() -> access("auth-provider: {name: unknown, config: {a: b}}"))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("auth-provider")
                    .hasMessageContaining("exec plugin");
        }
    }

    @Nested
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the plugins are shell scripts")
    class AnExecPlugin {

        private Path runs;

        @BeforeEach
        void countRuns() {
            runs = directory.resolve("runs");
        }

        /** Writes a script that counts its runs, and says what to do in the kubeconfig. */
        private String plugin(String script) throws IOException {
            Path file = write("plugin.sh", "#!/bin/sh\necho run >> '" + runs + "'\n" + script);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
            return "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin.sh, provideClusterInfo: true}";
        }

        private static String printing(String status) {
            return "cat <<END\n{\"apiVersion\": \"client.authentication.k8s.io/v1\", \"kind\": \"ExecCredential\","
                    + " \"status\": {" + status + "}}\nEND\n";
        }

        private int runs() throws IOException {
            return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
        }

        @Test
        void anExecPluginIsRunOnceByRequestsAtOnceAndAfterwards() throws Exception {
            transport = OkHttpTransport.to(access(plugin(printing("\"token\": \"t\", \"expirationTimestamp\": \""
                    + Instant.now().plusSeconds(600) + "\""))));
            assertThat(runs()).isZero();

            List<CompletableFuture<ApiResponse>> sent = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                sent.add(send(Duration.ofSeconds(20)));
            }
            for (CompletableFuture<ApiResponse> one : sent) {
                assertThat(one.get(30, TimeUnit.SECONDS)).isInstanceOf(ApiResponse.Answered.class);
            }
            send();

            assertThat(runs()).isEqualTo(1);
            assertThat(server.requests())
                    .hasSize(6)
                    .extracting(TlsApiServer.Seen::authorization)
                    .containsOnly("Bearer t");
        }

        @Test
        void anExecPluginIsRunAgainAfter401() throws Exception {
            server.takeOnly(request -> !"Bearer run 1".equals(request.authorization()));
            transport = OkHttpTransport.to(
                    access(plugin(printing("\"token\": \"run $(wc -l < '" + runs + "' | tr -d ' ')\""))));

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> send() instanceof ApiResponse.Answered answer && answer.ok());

            assertThat(server.last().authorization()).isEqualTo("Bearer run 2");
        }

        @Test
        void anExecPluginIsRunAgainWhenItsCertificateEnds() throws Exception {
            needClientCertificate();
            server.takeOnly(request -> "CN=next".equals(request.subject()));
            HeldCertificate next = TlsApiServer.client(AUTHORITY, "next");
            write("next.json", certificateStatus(next));
            write("first.json", certificateStatus(CLIENT));
            transport = OkHttpTransport.to(access(plugin("if [ $(wc -l < '" + runs + "') = 1 ]; then cat '"
                    + directory.resolve("first.json") + "'; else cat '" + directory.resolve("next.json")
                    + "'; fi\n")));

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> send() instanceof ApiResponse.Answered answer && answer.ok());

            assertThat(server.requests().get(0).subject()).isEqualTo("CN=client");
        }

        private static String certificateStatus(HeldCertificate certificate) {
            return """
                    {"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": \
                    {"clientCertificateData": "%s", "clientKeyData": "%s"}}""".formatted(
                            certificate.certificatePem().replace("\n", "\\n"),
                            certificate.privateKeyPkcs8Pem().replace("\n", "\\n"));
        }

        @Test
        void anExecPluginIsNamedIfItFails() throws Exception {
            transport = OkHttpTransport.to(access(plugin("exit 3")));

            assertThat(send())
                    .isInstanceOfSatisfying(
                            ApiResponse.Unanswered.class,
                            answer -> assertThat(answer.message())
                                    .contains("the exec plugin '" + directory.resolve("plugin.sh")
                                            + "' of the kubeconfig " + directory.resolve("config"))
                                    .contains("exit code 3"));
            assertThat(server.requests()).isEmpty();
        }

        @Test
        void anExecPluginIsNamedIfItHangsForLongerThanARequest() throws Exception {
            transport = OkHttpTransport.to(access(plugin("exec sleep 5")));

            assertThat(send(Duration.ofSeconds(1)).get(30, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            ApiResponse.Unanswered.class,
                            answer -> assertThat(answer.message())
                                    .contains("plugin.sh")
                                    .containsPattern("it has returned nothing for [89]\\d\\d ms"));
        }

        @Test
        void anExecPluginIsToldOfTheCluster() throws Exception {
            Path told = directory.resolve("told");
            assertThatARequestIsAnsweredBy(
                    access(plugin("echo \"$KUBERNETES_EXEC_INFO\" > '" + told + "'\n" + printing("\"token\": \"t\""))));

            assertThat(Files.readString(told))
                    .contains("\"server\":\"" + server.url() + '"')
                    .contains("\"certificate-authority-data\":\""
                            + base64(AUTHORITY.certificatePem().strip()));
        }

        @ParameterizedTest
        @CsvSource({
            "'apiVersion: client.authentication.k8s.io/v2, command: p', is of the apiVersion",
            "'apiVersion: client.authentication.k8s.io/v1, command: p, interactiveMode: Always', needs a terminal"
        })
        void anExecPluginIsRefusedIfItCannotBeRunHere(String exec, String message) {
            assertThatThrownBy(() -> access("exec: {" + exec + "}"))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("exec plugin 'p' " + message);
        }
    }
}
