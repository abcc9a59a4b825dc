package io.cle.kubernetes;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
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
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Every login of a kubeconfig, and that of a pod, against a TLS server. */
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
        void aClientCertificateIsRefusedWithTheReasonIfTheKeyCannotBeRead() {
            assertThatThrownBy(() -> access("client-certificate-data: " + base64(CLIENT.certificatePem())
                            + ", client-key-data: bm90aGluZw=="))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("no PEM block with a private key");
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
                .hasMessageContaining("isn't the address of an API server");
    }

    @Nested
    class TheServersCertificate {

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
    }

    @Nested
    class AnotherLogin {

        @ParameterizedTest
        @CsvSource({
            "token: t, Bearer t",
            "tokenFile: token, Bearer of the file",
            "'username: me, password: secret', Basic bWU6c2VjcmV0"
        })
        void anotherLoginIsShownAsAHeader(String user, String authorization) throws Exception {
            write("token", "of the file");

            assertThatARequestIsAnsweredBy(
                    access(user.replace("tokenFile: ", "tokenFile: " + directory + File.separator)));

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
    }

    @Test
    void theTokenOfAnExecPluginIsSent() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Path credential = write(
                "credential.json",
                "{\"kind\": \"ExecCredential\", \"apiVersion\": \"client.authentication.k8s.io/v1\","
                        + " \"status\": {\"token\": \"of the plugin\"}}");
        Path plugin = write("Plugin.java", """
                import java.nio.file.*;
                class Plugin {
                    public static void main(String[] files) throws Exception {
                        System.out.println(Files.readString(Path.of(files[0])));
                    }
                }
                """);

        assertThatARequestIsAnsweredBy(access("exec: {apiVersion: client.authentication.k8s.io/v1, command: '" + java
                + "', args: ['" + plugin + "', '" + credential + "']}"));

        assertThat(server.last().authorization()).isEqualTo("Bearer of the plugin");
    }
}
