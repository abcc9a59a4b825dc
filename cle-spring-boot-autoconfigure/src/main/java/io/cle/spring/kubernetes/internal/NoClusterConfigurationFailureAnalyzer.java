package io.cle.spring.kubernetes.internal;

import io.cle.kubernetes.NoClusterConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells where a cluster was looked for in vain, and the ways to name one or to do without. */
class NoClusterConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<NoClusterConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NoClusterConfigurationException cause) {
        return new FailureAnalysis(
                "Leader election needs a Kubernetes cluster, and there is none to be found: " + cause.getMessage(),
                """
                Do one of these:
                    - set the environment variable KUBECONFIG to the path of a kubeconfig,
                    - set cle.kubernetes.base-url to the address of an API server without authentication,
                    - set cle.mode=standalone if there is no cluster: this process then leads at once,
                    - set cle.enabled=false if this process is never to lead.""",
                cause);
    }
}
