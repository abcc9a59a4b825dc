package io.cle.kubernetes;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    /** The server of its current context isn't a string. */
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

    @Nested
    class BrokenKubeconfig {

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
                        .hasMessageContaining("the kubeconfig " + file + ", named by KUBECONFIG, can't be used");
            }
        }

        @Test
        void brokenKubeconfigIsNamedIfAValueIsMissing() throws IOException {
            Path file = write(
                    "incomplete", CONFIG.replace("token: t", "exec: {apiVersion: client.authentication.k8s.io/v1}"));

            assertThatThrownBy(() -> find(Map.of("KUBECONFIG", file.toString())))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining(file.toString());
        }

        @Test
        void brokenKubeconfigIsUsedIfOnlyAnotherContextThanTheChosenOneIsBroken() throws IOException {
            Path file = write("two", TWO_CONTEXTS);

            assertThat(KubernetesAccess.find(file, "here").address()).isEqualTo("http://127.0.0.1:1234");
        }

        @Test
        void brokenKubeconfigIsNamedWithTheContextThatItHasNot() throws IOException {
            Path file = write("here-only", CONFIG);

            assertThatThrownBy(() -> KubernetesAccess.find(file, "elsewhere"))
                    .isInstanceOf(NoClusterConfigurationException.class)
                    .hasMessageContaining("has no context 'elsewhere'; see 'kubectl config get-contexts'");
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
