package io.cle.spring.kubernetes.internal;

import java.nio.file.Path;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.NoClusterConfigurationException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class NoClusterConfigurationFailureAnalyzerTests {

    @Test
    void namesWhatWasTriedAndAllWaysOut() {
        NoClusterConfigurationException failure =
                catchThrowableOfType(NoClusterConfigurationException.class, () -> KubernetesAccess.at("nowhere"));

        FailureAnalysis analysis =
                new NoClusterConfigurationFailureAnalyzer(new MockEnvironment()).analyze(failure, failure);

        assertThat(analysis.getDescription())
                .contains("Kubernetes cluster", "'nowhere'")
                .doesNotContain("looked for by");
        assertThat(analysis.getAction())
                .contains("KUBECONFIG", "cle.kubernetes.base-url", "cle.mode=standalone")
                .doesNotContain("correct");
    }

    @Test
    void namesThePropertiesThatSaidWhereToLook() {
        NoClusterConfigurationException failure = catchThrowableOfType(
                NoClusterConfigurationException.class,
                () -> KubernetesAccess.find(Path.of("/home/me/config"), "there"));
        MockEnvironment environment = new MockEnvironment()
                .withProperty("cle.kubernetes.kubeconfig", "/home/me/config")
                .withProperty("cle.kubernetes.context", "there");

        FailureAnalysis analysis = new NoClusterConfigurationFailureAnalyzer(environment).analyze(failure, failure);

        assertThat(analysis.getDescription())
                .contains("cle.kubernetes.kubeconfig = '/home/me/config', cle.kubernetes.context = 'there'");
        assertThat(analysis.getAction())
                .contains("correct or remove cle.kubernetes.kubeconfig and cle.kubernetes.context");
    }
}
