package io.cle.spring.kubernetes.internal;

import io.cle.kubernetes.NoClusterConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains where no cluster configuration was found, and how to configure a cluster or lead without one. */
class NoClusterConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<NoClusterConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NoClusterConfigurationException cause) {
        return new FailureAnalysis(
                "Leader election needs a Kubernetes cluster, and there is none to be found: " + cause.getMessage(),
                """
                Do one of these:
                    - correct or remove cle.kubernetes.base-url, .kubeconfig and .context, if they are set,
                    - set the environment variable KUBECONFIG to the path of a kubeconfig,
                    - set cle.kubernetes.base-url to the address of an API server without authentication,
                    - in an application, set cle.mode=standalone if there is no cluster: it then leads at once,
                    - or cle.enabled=false if it is never to lead.""",
                cause);
    }
}
