package io.cle.spring.kubernetes.internal;

import java.nio.file.Path;

import io.cle.kubernetes.KubernetesAccess;
import io.cle.kubernetes.NoClusterConfigurationException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class NoClusterConfigurationFailureAnalyzerTests {

    @Test
    void namesWhatWasTriedAndAllWaysOut() {
        NoClusterConfigurationException failure =
                catchThrowableOfType(NoClusterConfigurationException.class, () -> KubernetesAccess.at("nowhere"));

        FailureAnalysis analysis = new NoClusterConfigurationFailureAnalyzer().analyze(failure, failure);

        assertThat(analysis.getDescription()).contains("Kubernetes cluster", "'nowhere'");
        assertThat(analysis.getAction()).contains("KUBECONFIG", "cle.kubernetes.base-url", "cle.mode=standalone");
    }

    @Test
    void namesTheKubeconfigThatWasConfigured() {
        NoClusterConfigurationException failure = catchThrowableOfType(
                NoClusterConfigurationException.class,
                () -> KubernetesAccess.find(Path.of("/home/me/config"), "there"));

        FailureAnalysis analysis = new NoClusterConfigurationFailureAnalyzer().analyze(failure, failure);

        assertThat(analysis.getDescription()).contains("/home/me/config", "there is no such file");
        assertThat(analysis.getAction())
                .contains("correct or remove cle.kubernetes.base-url, .kubeconfig and .context");
    }
}
