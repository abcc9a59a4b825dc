package io.cle.kubernetes;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpServer;
import okhttp3.Headers;
import okhttp3.OkHttpClient;
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
        void theKubeconfigIsTheFileThatTheVariableNames() throws IOException {
            write("home/.kube/config", CONFIG.replace("1234", "9999"));
            Path file = write("named", CONFIG);

            KubernetesAccess access = find(Map.of("KUBECONFIG", file.toString()));

            assertThat(access.address()).isEqualTo("http://127.0.0.1:1234");
            assertThat(access.namespace()).isEqualTo("shop");
            assertThat(access.describe()).contains("http://127.0.0.1:1234").contains(file.toString());
        }

        /** {@code KUBECONFIG=$KUBECONFIG:file} begins with an empty name if the variable was not set before. */
        @Test
        void theKubeconfigIsTheFirstFileOfTheVariableThatHasAName() throws IOException {
            Path file = write("named", CONFIG);

            KubernetesAccess access = find(Map.of("KUBECONFIG", File.pathSeparator + file));

            assertThat(access.describe()).contains(file.toString());
        }

        @Test
        void theKubeconfigIsTheFileInTheHomeDirectoryOtherwise() throws IOException {
            write("home/.kube/config", CONFIG.replace(", namespace: shop", ""));

            KubernetesAccess access = find(Map.of("KUBECONFIG", ""));

            assertThat(access.address()).isEqualTo("http://127.0.0.1:1234");
            assertThat(access.namespace()).isEqualTo("default");
        }

        @Test
        void theKubeconfigGivesTheNamespaceUnlessThePodDoes() throws IOException {
            write("home/.kube/config", CONFIG);
            write("account/namespace", "of-the-pod\n");

            assertThat(find(Map.of()).namespace()).isEqualTo("of-the-pod");
        }
    }

    /** Merged as by kubectl. */
    @Nested
    class SeveralFiles {

        private static final String CLUSTERS = """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "http://127.0.0.1:1234"}}]
                """;
        private static final String LOGIN = """
                apiVersion: v1
                kind: Config
                current-context: here
                users: [{name: u, user: {tokenFile: token}}]
                contexts: [{name: here, context: {cluster: c, user: u, namespace: shop}}]
                """;

        private KubernetesAccess merged(Path... files) {
            return find(Map.of(
                    "KUBECONFIG",
                    Stream.of(files).map(Path::toString).collect(Collectors.joining(File.pathSeparator))));
        }

        @Test
        void severalFilesGiveTheClusterOfOneToTheContextOfAnother() throws IOException {
            write("logins/token", "t");
            Path clusters = write("a", CLUSTERS);
            Path login = write("logins/b", LOGIN);

            for (KubernetesAccess access : List.of(merged(clusters, login), merged(login, clusters))) {
                assertThat(access.address()).isEqualTo("http://127.0.0.1:1234");
                assertThat(access.namespace()).isEqualTo("shop");
                assertThat(access.describe()).contains(clusters.toString()).contains(login.toString());
            }
        }

        @Test
        void severalFilesAreOverruledByTheFirstThatHasTheName() throws IOException {
            Path first = write("a", CONFIG);
            Path second = write(
                    "b",
                    CONFIG.replace("1234", "9999")
                            .replace("current-context: here", "current-context: there")
                            .replace("name: here", "name: there"));

            assertThat(merged(first, second).address()).isEqualTo("http://127.0.0.1:1234");
            assertThat(merged(second, first).address()).isEqualTo("http://127.0.0.1:9999");
        }

        @Test
        void severalFilesNameFilesRelativeToThemselves() throws IOException {
            Path clusters = write("a", CLUSTERS);
            Path login = write("logins/b", LOGIN);

            assertThatThrownBy(() -> merged(clusters, login))
                    .hasMessageContaining(login.resolveSibling("token").toString());
        }

        @Test
        void severalFilesMayBeMissingOrEmptyIfOneIsNot() throws IOException {
            Path file = write("b", CONFIG);

            assertThat(merged(directory.resolve("missing"), write("empty", "\n"), file)
                            .address())
                    .isEqualTo("http://127.0.0.1:1234");
        }

        @Test
        void severalFilesAreAllNamedIfNoneHasAnything() throws IOException {
            Path missing = directory.resolve("missing");
            Path empty = write("empty", "\n");

            assertThatThrownBy(() -> merged(missing, empty))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining(missing + File.pathSeparator + empty + " (" + missing + " doesn't exist)")
                    .hasMessageContaining("missing or empty");
        }

        @Test
        void severalFilesAreAllNamedIfTheyNameNoServerAlsoThoseThatAreMissing() throws IOException {
            Path missing = directory.resolve("missing");
            Path login = write("b", LOGIN);

            assertThatThrownBy(() -> merged(login, missing))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("the kubeconfig " + login + File.pathSeparator + missing + " (" + missing
                            + " doesn't exist), named by KUBECONFIG, names no server")
                    .hasMessageContaining("context 'here' names a cluster that is missing");
        }

        @Test
        void severalFilesAreRefusedWithoutTheUserOfTheContext() throws IOException {
            Path file = write("a", CONFIG.replace("name: u,", "name: v,"));

            assertThatThrownBy(() -> merged(file, write("b", CLUSTERS)))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("has no user 'u', which its context 'here' names");
        }

        @Test
        void severalFilesAreNamedOneByOneIfOneIsNoKubeconfig() throws IOException {
            Path file = write("a", CONFIG);
            Path broken = write("b", "clusters: 7");

            assertThatThrownBy(() -> merged(file, broken))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("the kubeconfig " + broken + ", named by KUBECONFIG, isn't a kubeconfig");
        }
    }

    /** The user's {@code as} and what belongs to it, which client-java doesn't read. */
    @Nested
    class AnotherUser {

        private KubernetesAccess by(String as) throws IOException {
            return find(Map.of(
                    "KUBECONFIG",
                    write("impersonating", CONFIG.replace("token: t", "token: t, " + as))
                            .toString()));
        }

        /** The headers of a request, as it is sent. */
        private Headers sent(KubernetesAccess access) throws IOException {
            AtomicReference<Headers> sent = new AtomicReference<>();
            OkHttpClient client = access.httpClient()
                    .newBuilder()
                    .addInterceptor(chain -> {
                        sent.set(chain.request().headers());
                        throw new IOException("not sent");
                    })
                    .build();
            Request request =
                    new Request.Builder().url("http://127.0.0.1:1234/version").build();
            assertThatThrownBy(() -> client.newCall(request).execute()).hasMessage("not sent");
            return sent.get();
        }

        @Test
        void anotherUserIsNamedInEachRequestWithAllThatBelongsToIt() throws IOException {
            Headers headers = sent(by("as: jane, as-uid: '7', as-groups: [developers, \"gäste\"],"
                    + " as-user-extra: {example.com/team: [a, b], \"50%\": [c]}"));

            assertThat(headers.values("Authorization")).containsExactly("Bearer t");
            assertThat(headers.values("Impersonate-User")).containsExactly("jane");
            assertThat(headers.values("Impersonate-Uid")).containsExactly("7");
            assertThat(headers.values("Impersonate-Group")).containsExactly("developers", "gäste");
            assertThat(headers.values("Impersonate-Extra-example.com%2Fteam")).containsExactly("a", "b");
            assertThat(headers.values("Impersonate-Extra-50%25")).containsExactly("c");
        }

        @Test
        void anotherUserIsNamedWhereTheClusterIsDescribed() throws IOException {
            assertThat(by("as: jane").describe()).endsWith("named by KUBECONFIG, as 'jane')");
        }

        @Test
        void anotherUserIsNoneIfTheUserNamesNone() throws IOException {
            assertThat(sent(by("as: ''")).names()).noneMatch(name -> name.startsWith("Impersonate"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"as-uid: '7'", "as-groups: [g]", "as-user-extra: {a: [b]}"})
        void anotherUserIsRequiredByWhatBelongsToIt(String field) {
            assertThatThrownBy(() -> by(field))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("its user's '" + field.split(":")[0] + "' is used without 'as'");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "as: 7",
                    "as: [jane]",
                    "as: \"ja\\nne\"",
                    "as: jane, as-uid: 7",
                    "as: jane, as-groups: g",
                    "as: jane, as-groups: [7]",
                    "as: jane, as-user-extra: [a]",
                    "as: jane, as-user-extra: {a: b}"
                })
        void anotherUserIsRefusedIfItCantBeSent(String as) {
            assertThatThrownBy(() -> by(as))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("named by KUBECONFIG, can't be used: its user's 'as")
                    .hasMessageNotContaining("Exception");
        }
    }

    @Nested
    class BrokenKubeconfig {

        @Test
        void brokenKubeconfigIsNamedIfItIsEmpty() throws IOException {
            write("empty", "\n");
            String empty = directory.resolve("empty").toString();

            assertThatThrownBy(() -> find(Map.of("KUBECONFIG", empty)))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessage("the kubeconfig " + empty + ", named by KUBECONFIG, is empty");
        }

        @Test
        void brokenKubeconfigIsNotPassedOverIfTheVariableNamesAFileThatIsMissing() throws IOException {
            write("home/.kube/config", CONFIG);
            String missing = directory.resolve("missing").toString();

            assertThatThrownBy(() -> find(Map.of("KUBECONFIG", missing)))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessage("the kubeconfig " + missing
                            + ", named by KUBECONFIG, can't be read: there is no such file");
        }

        @Test
        void brokenKubeconfigIsNamedIfItIsNoKubeconfig() throws IOException {
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
        void brokenKubeconfigSaysWhatAKubeconfigIsIfItIsAnotherYaml(String text) throws IOException {
            Path file = write("broken", text);

            assertThatThrownBy(() -> find(Map.of("KUBECONFIG", file.toString())))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining(file + ", named by KUBECONFIG, isn't a kubeconfig: it must be a YAML mapping")
                    .hasMessageNotContaining("Exception");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "auth-provider: {name: gcp, config: {access-token: t}}",
                    "auth-provider: gcp",
                    "exec: {apiVersion: client.authentication.k8s.io/v1}"
                })
        void brokenKubeconfigSaysWhereAValueIsMissing(String login) throws IOException {
            Path file = write("incomplete", CONFIG.replace("token: t", login));

            assertThatThrownBy(() -> find(Map.of("KUBECONFIG", file.toString())))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("user of its context 'here' a value is missing or isn't of its type")
                    .hasMessageNotContaining("Exception");
        }

        @Test
        void brokenKubeconfigIsUsedIfOnlyAnotherContextThanTheChosenOneIsBroken() throws IOException {
            Path file = write("two", TWO_CONTEXTS);

            assertThat(KubernetesAccess.find(file, "here").address()).isEqualTo("http://127.0.0.1:1234");
        }

        @Test
        void brokenKubeconfigSaysWhatAKubeconfigIsIfTheChosenContextIsBroken() throws IOException {
            Path file = write("two", TWO_CONTEXTS.replace("current-context: broken", "current-context: here"));

            assertThatThrownBy(() -> KubernetesAccess.find(file, "broken"))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("isn't a kubeconfig: it must be a YAML mapping")
                    .hasMessageNotContaining("Exception");
        }

        @Test
        void brokenKubeconfigSaysHowToSetAContextIfItsOwnIsMissing() throws IOException {
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
        void proxyOfAClusterIsSentTheRequests() throws IOException {
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
            Request request =
                    new Request.Builder().url(access.address() + "/version").build();
            try (Response response = access.httpClient().newCall(request).execute()) {
                assertThat(response.code()).isEqualTo(204);
            } finally {
                server.stop(0);
            }

            assertThat(requested).containsExactly("http://127.0.0.1:1234/version");
        }

        @Test
        void proxyOfAClusterMayBeOneBySocks() throws IOException {
            assertThat(by("socks5://bastion").httpClient().proxy())
                    .isEqualTo(new Proxy(Proxy.Type.SOCKS, InetSocketAddress.createUnresolved("bastion", 1080)));
        }

        @Test
        void proxyOfAClusterIsNoneIfTheFileNamesNone() throws IOException {
            assertThat(by("").httpClient().proxy()).isNull();
        }

        @ParameterizedTest
        @ValueSource(strings = {"https://proxy:3128", "proxy:3128", "proxy", "http://", "http://a b"})
        void proxyOfAClusterIsRefusedIfItCantBeUsed(String url) {
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
        void proxyOfAClusterIsRefusedIfItNeedsAPasswordWhichIsNotShown(String url, String shown) {
            assertThatThrownBy(() -> by(url))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("'" + shown + "'")
                    .hasMessageNotContaining("secret");
        }
    }

    @Nested
    class NoKubeconfig {

        @Test
        void noKubeconfigIsNotGuessedOutsideAPod() {
            assertThatThrownBy(() -> find(Map.of()))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("KUBECONFIG is not set")
                    .hasMessageContaining(
                            home.resolve(".kube").resolve("config").toString())
                    .hasMessageContaining("does not run in a pod");
        }

        @Test
        void noKubeconfigIsMissedInAPodWithoutATokenAndTheMessageSaysSo() {
            assertThatThrownBy(() -> find(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1")))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("automountServiceAccountToken");
        }
    }

    @Nested
    class Address {

        @Test
        void addressIsUsedAsItStands() {
            assertThat(KubernetesAccess.at("http://127.0.0.1:8080").describe()).isEqualTo("http://127.0.0.1:8080");
        }

        @Test
        void addressIsReportedIfItIsMalformed() {
            for (String address : new String[] {"", "localhost:8080", "ftp://x", "http://"}) {
                assertThatThrownBy(() -> KubernetesAccess.at(address))
                        .as(address)
                        .isInstanceOf(NoClusterConfigurationException.class)
                        .hasMessageContaining("'" + address + "'");
            }
        }
    }
}
