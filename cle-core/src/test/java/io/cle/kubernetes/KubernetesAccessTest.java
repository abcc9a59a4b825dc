package io.cle.kubernetes;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import com.sun.net.httpserver.HttpServer;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class KubernetesAccessTest {

    private static final String CONFIG = """
            apiVersion: v1
            kind: Config
            current-context: here
            clusters: [{name: c, cluster: {server: "http://127.0.0.1:1234"}}]
            users: [{name: u, user: {token: t}}]
            contexts: [{name: here, context: {cluster: c, user: u, namespace: shop}}]
            """;

    /** The server of its current context is no text. */
    private static final String TWO_CONTEXTS = CONFIG.replace("current-context: here", "current-context: broken")
            .replace("clusters: [", "clusters: [{name: d, cluster: {server: 7}}, ")
            .replace("contexts: [", "contexts: [{name: broken, context: {cluster: d, user: u}}, ");

    @TempDir
    private Path directory;

    private Path home;
    private Path account;

    @BeforeEach
    void makeDirectories() throws IOException {
        home = Files.createDirectories(directory.resolve("home"));
        account = Files.createDirectories(directory.resolve("account"));
    }

    private KubernetesAccess find(Map<String, String> environment) {
        return KubernetesAccess.find(new KubernetesAccess.Surroundings(environment, home, account), null);
    }

    private Path write(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    @Nested
    class Kubeconfig {

        @Test
        void isTheFileThatTheVariableNamesFirst() throws IOException {
            write("home/.kube/config", CONFIG.replace("1234", "9999"));
            Path file = write("named", CONFIG);

            KubernetesAccess access = find(Map.of("KUBECONFIG", file.toString()));

            assertThat(access.apiClient().getBasePath()).isEqualTo("http://127.0.0.1:1234");
            assertThat(access.namespace()).isEqualTo("shop");
            assertThat(access.describe()).contains("http://127.0.0.1:1234").contains(file.toString());
        }

        /** {@code KUBECONFIG=$KUBECONFIG:file} begins with an empty name if the variable was not set before. */
        @Test
        void isTheFirstFileOfTheVariableThatHasAName() throws IOException {
            Path file = write("named", CONFIG);

            KubernetesAccess access = find(Map.of("KUBECONFIG", File.pathSeparator + file));

            assertThat(access.describe()).contains(file.toString());
        }

        @Test
        void isTheFileInTheHomeDirectoryOtherwise() throws IOException {
            write("home/.kube/config", CONFIG.replace(", namespace: shop", ""));

            KubernetesAccess access = find(Map.of("KUBECONFIG", ""));

            assertThat(access.apiClient().getBasePath()).isEqualTo("http://127.0.0.1:1234");
            assertThat(access.namespace()).isEqualTo("default");
        }

        @Test
        void givesTheNamespaceUnlessThePodDoes() throws IOException {
            write("home/.kube/config", CONFIG);
            write("account/namespace", "of-the-pod\n");

            assertThat(find(Map.of()).namespace()).isEqualTo("of-the-pod");
        }
    }

    @Nested
    class BrokenKubeconfig {

        @Test
        void isNamedIfItIsEmpty() throws IOException {
            write("empty", "\n");
            String empty = directory.resolve("empty").toString();

            assertThatThrownBy(() -> find(Map.of("KUBECONFIG", empty)))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessage("the kubeconfig " + empty + ", named by KUBECONFIG, is empty");
        }

        @Test
        void isNotPassedOverIfTheVariableNamesAFileThatIsMissing() throws IOException {
            write("home/.kube/config", CONFIG);
            String missing = directory.resolve("missing").toString();

            assertThatThrownBy(() -> find(Map.of("KUBECONFIG", missing)))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining(missing)
                    .hasMessageContaining("can't be read");
        }

        @Test
        void isNamedIfItIsNoKubeconfig() throws IOException {
            for (String text : new String[] {
                "", "[]", "{half", "text", "clusters: 7", "kind: Config\ncurrent-context: x\ncontexts: [1]", "a: b: c"
            }) {
                Path file = write("broken", text);
                assertThatThrownBy(() -> find(Map.of("KUBECONFIG", file.toString())))
                        .as(text)
                        .isInstanceOf(NoClusterConfigurationException.class)
                        .hasMessageContaining(file.toString());
            }
        }

        @ParameterizedTest
        @ValueSource(strings = {"[]", "text", "clusters: 7", "current-context: 7", "current-context: x\ncontexts: [1]"})
        void saysWhatAKubeconfigIsIfItIsAnotherYaml(String text) throws IOException {
            Path file = write("broken", text);

            assertThatThrownBy(() -> find(Map.of("KUBECONFIG", file.toString())))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining(file + ", named by KUBECONFIG, is no kubeconfig: it must be a YAML mapping")
                    .hasMessageNotContaining("Exception");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "auth-provider: {name: gcp, config: {access-token: t}}",
                    "auth-provider: gcp",
                    "exec: {apiVersion: client.authentication.k8s.io/v1}"
                })
        void saysWhereAValueIsMissing(String login) throws IOException {
            Path file = write("incomplete", CONFIG.replace("token: t", login));

            assertThatThrownBy(() -> find(Map.of("KUBECONFIG", file.toString())))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("user of its context 'here' a value is missing or isn't of its type")
                    .hasMessageNotContaining("Exception");
        }

        @Test
        void isUsedIfOnlyAnotherContextThanTheChosenOneIsBroken() throws IOException {
            Path file = write("two", TWO_CONTEXTS);

            assertThat(KubernetesAccess.find(file, "here").apiClient().getBasePath())
                    .isEqualTo("http://127.0.0.1:1234");
        }

        @Test
        void saysWhatAKubeconfigIsIfTheChosenContextIsBroken() throws IOException {
            Path file = write("two", TWO_CONTEXTS.replace("current-context: broken", "current-context: here"));

            assertThatThrownBy(() -> KubernetesAccess.find(file, "broken"))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("is no kubeconfig: it must be a YAML mapping")
                    .hasMessageNotContaining("Exception");
        }

        @Test
        void saysHowToSetAContextIfItsOwnIsMissing() throws IOException {
            Path file = write("broken", CONFIG.replace("current-context: here", "current-context: elsewhere"));

            assertThatThrownBy(() -> find(Map.of("KUBECONFIG", file.toString())))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("elsewhere")
                    .hasMessageContaining("kubectl config use-context");
        }
    }

    /** The cluster's {@code proxy-url}, which client-java doesn't read. */
    @Nested
    class ProxyOfACluster {

        private KubernetesAccess by(String url) throws IOException {
            Path file = write(
                    "proxied", CONFIG.replace("cluster: {server", "cluster: {proxy-url: \"" + url + "\", server"));
            return find(Map.of("KUBECONFIG", file.toString()));
        }

        @Test
        void isSentTheRequests() throws IOException {
            BlockingQueue<String> requested = new LinkedBlockingQueue<>();
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                requested.add(exchange.getRequestURI().toString());
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            });
            server.start();
            KubernetesAccess access =
                    by("http://127.0.0.1:" + server.getAddress().getPort());
            Request request = new Request.Builder()
                    .url(access.apiClient().getBasePath() + "/version")
                    .build();
            try (Response response =
                    access.apiClient().getHttpClient().newCall(request).execute()) {
                assertThat(response.code()).isEqualTo(204);
            } finally {
                server.stop(0);
            }

            assertThat(requested).containsExactly("http://127.0.0.1:1234/version");
        }

        @Test
        void mayBeOneBySocks() throws IOException {
            assertThat(by("socks5://bastion").apiClient().getHttpClient().proxy())
                    .isEqualTo(new Proxy(Proxy.Type.SOCKS, InetSocketAddress.createUnresolved("bastion", 1080)));
        }

        @Test
        void isNoneIfTheFileNamesNone() throws IOException {
            assertThat(by("").apiClient().getHttpClient().proxy()).isNull();
        }

        @ParameterizedTest
        @ValueSource(strings = {"https://proxy:3128", "proxy:3128", "proxy", "http://", "http://a b"})
        void isRefusedIfItCantBeUsed(String url) {
            assertThatThrownBy(() -> by(url))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("named by KUBECONFIG, names the proxy-url '" + url + "'")
                    .hasMessageContaining("http://proxy:3128");
        }

        @ParameterizedTest
        @CsvSource({
            "http://me:secret@proxy:3128, http://…@proxy:3128",
            "http://me:se/secret@proxy:3128, http://…@proxy:3128",
            "http://me:se@secret@proxy:3128, http://…@proxy:3128",
            "me:secret@proxy:3128, …@proxy:3128"
        })
        void isRefusedIfItNeedsAPasswordWhichIsNotShown(String url, String shown) {
            assertThatThrownBy(() -> by(url))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("'" + shown + "'")
                    .hasMessageNotContaining("secret");
        }
    }

    @Nested
    class NoKubeconfig {

        @Test
        void isNotGuessedOutsideAPod() {
            assertThatThrownBy(() -> find(Map.of()))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("KUBECONFIG is not set")
                    .hasMessageContaining(
                            home.resolve(".kube").resolve("config").toString())
                    .hasMessageContaining("does not run in a pod");
        }

        @Test
        void isMissedInAPodWithoutATokenAndTheMessageSaysSo() {
            assertThatThrownBy(() -> find(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1")))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("automountServiceAccountToken");
        }
    }

    @Nested
    class Address {

        @Test
        void isUsedAsItStands() {
            assertThat(KubernetesAccess.at("http://127.0.0.1:8080").describe()).isEqualTo("http://127.0.0.1:8080");
        }

        @Test
        void isReportedIfItIsMalformed() {
            for (String address : new String[] {"", "localhost:8080", "ftp://x", "http://"}) {
                assertThatThrownBy(() -> KubernetesAccess.at(address))
                        .as(address)
                        .isInstanceOf(NoClusterConfigurationException.class)
                        .hasMessageContaining("'" + address + "'");
            }
        }
    }
}
