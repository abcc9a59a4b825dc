package io.cle.test.apiserver;

/** Writes the file that tells {@code kubectl} and clients where a server is. */
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
