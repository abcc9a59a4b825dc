package io.cle.test.apiserver;

/** Creates kubeconfigs for {@code kubectl} and other clients. */
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
