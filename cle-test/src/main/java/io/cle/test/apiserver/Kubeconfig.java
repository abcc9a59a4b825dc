package io.cle.test.apiserver;

/** Writes the kubeconfig with which {@code kubectl} and clients find a server. */
final class Kubeconfig {

    private Kubeconfig() {}

    static String withoutAuthentication(String url) {
        return """
                apiVersion: v1
                kind: Config
                clusters:
                - name: embedded
                  cluster:
                    server: %s
                users:
                - name: anybody
                  user: {}
                contexts:
                - name: embedded
                  context:
                    cluster: embedded
                    user: anybody
                    namespace: default
                current-context: embedded
                """.formatted(url);
    }
}
