package io.cle.test.apiserver.real;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Which real API server to run, and where its programs are. */
enum Assets {
    /** Any Kubernetes: leader election by our CRDs. */
    PLAIN("KUBEBUILDER_ASSETS", List.of()),

    /** Kubernetes 1.33 or newer, with its own coordinated leader election switched on. */
    NATIVE(
            "CLE_NATIVE_ASSETS",
            List.of(
                    "--feature-gates=CoordinatedLeaderElection=true",
                    "--runtime-config=coordination.k8s.io/v1beta1=true"));

    private final String variable;
    private final List<String> flags;

    Assets(String variable, List<String> flags) {
        this.variable = variable;
        this.flags = flags;
    }

    /** The environment variable that names the directory. */
    String variable() {
        return variable;
    }

    /** Further options of kube-apiserver. */
    List<String> flags() {
        return flags;
    }

    /**
     * The directory with {@code kube-apiserver} and {@code etcd}; empty when the variable is unset.
     *
     * @throws IllegalStateException when it is set, and one of the two isn't there
     */
    Optional<Path> directory() {
        String value = System.getenv(variable);
        if (value == null || value.isBlank()) {
            return Optional.empty();
        }
        Path directory = Path.of(value);
        for (String program : List.of("kube-apiserver", "etcd")) {
            if (!Files.isExecutable(directory.resolve(program))) {
                throw new IllegalStateException(variable + " is " + value + ", but there is no executable '" + program
                        + "' there; name the directory that holds kube-apiserver and etcd, or unset it");
            }
        }
        return Optional.of(directory);
    }
}
