package io.cle.coordinator.settings;

import io.cle.kubernetes.NoClusterConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells how to say where the cluster is. */
class NoClusterConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<NoClusterConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NoClusterConfigurationException cause) {
        return new FailureAnalysis(
                "The coordinator doesn't know where the cluster is:\n\n    " + cause.getMessage(),
                "Run it in a pod with a service account, or set KUBECONFIG or ~/.kube/config,"
                        + " or cle.kubernetes.base-url for an API server without authentication"
                        + " (samples/local-cluster has one).",
                cause);
    }
}
