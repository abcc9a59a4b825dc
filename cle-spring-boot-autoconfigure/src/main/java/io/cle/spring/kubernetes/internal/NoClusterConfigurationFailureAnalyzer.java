package io.cle.spring.kubernetes.internal;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.cle.kubernetes.NoClusterConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Explains where no cluster configuration was found, which properties were used, and how to configure a cluster or lead without one. */
class NoClusterConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<NoClusterConfigurationException> {

    private final Environment environment;

    NoClusterConfigurationFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NoClusterConfigurationException cause) {
        List<String> properties = Stream.of("base-url", "kubeconfig", "context")
                .map(key -> "cle.kubernetes." + key)
                .filter(property -> StringUtils.hasText(environment.getProperty(property)))
                .toList();
        String lookedForBy = properties.isEmpty()
                ? ""
                : properties.stream()
                        .map(property -> property + " = '" + environment.getProperty(property) + "'")
                        .collect(Collectors.joining(", ", "\n\nIt was looked for by ", "."));
        String correct =
                properties.isEmpty() ? "" : "    - correct or remove " + String.join(" and ", properties) + ",\n";
        return new FailureAnalysis(
                "Leader election needs a Kubernetes cluster, and there is none to be found: " + cause.getMessage()
                        + lookedForBy,
                """
                Do one of these:
                %s    - set the environment variable KUBECONFIG to the path of a kubeconfig,
                    - set cle.kubernetes.base-url to the address of an API server without authentication,
                    - in an application, set cle.mode=standalone if there is no cluster: it then leads at once,
                    - or cle.enabled=false if it is never to lead.""".formatted(correct),
                cause);
    }
}
