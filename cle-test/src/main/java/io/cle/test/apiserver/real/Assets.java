package io.cle.test.apiserver.real;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Which real API server to run, and where its programs are. */
enum Assets {
    /** Any Kubernetes: leader election by our CRDs. */
    PLAIN("KUBEBUILDER_ASSETS", "kube-apiserver", "CLE_REQUIRE_APISERVER"),

    /** Kubernetes 1.33 or newer, with its own coordinated leader election switched on. */
    NATIVE(
            "CLE_NATIVE_ASSETS",
            "kube-apiserver",
            "CLE_REQUIRE_NATIVE_APISERVER",
            "--feature-gates=CoordinatedLeaderElection=true",
            "--runtime-config=coordination.k8s.io/v1beta1=true"),

    /** Parts of a current kube-apiserver, where there is no whole one. */
    PARTS("CLE_CURRENT_APISERVER", "current-apiserver", "CLE_REQUIRE_CURRENT_APISERVER");

    private final String variable;
    private final String server;
    private final String required;
    private final List<String> flags;

    Assets(String variable, String server, String required, String... flags) {
        this.variable = variable;
        this.server = server;
        this.required = required;
        this.flags = List.of(flags);
    }

    /** The environment variable that names the directory. */
    String variable() {
        return variable;
    }

    /** The name of the server's program. */
    String server() {
        return server;
    }

    /** The environment variable that fails tests instead of skipping them. */
    String required() {
        return required;
    }

    /** Further options of kube-apiserver. */
    List<String> flags() {
        return flags;
    }

    /**
     * The directory with the server and {@code etcd}; empty when the variable is unset.
     *
     * @throws IllegalStateException if it is set, but one of the two is missing
     */
    Optional<Path> directory() {
        String value = System.getenv(variable);
        if (value == null || value.isBlank()) {
            return Optional.empty();
        }
        Path directory = Path.of(value);
        for (String program : List.of(server, "etcd")) {
            if (!Files.isExecutable(directory.resolve(program))) {
                throw new IllegalStateException(variable + " is " + value + ", but there is no executable '" + program
                        + "' there; name the directory that holds " + server + " and etcd, or unset it");
            }
        }
        return Optional.of(directory);
    }
}
