package io.cle.samples.firstleader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.google.gson.JsonParser;
import io.cle.test.apiserver.HttpApi.Reply;
import io.cle.test.apiserver.real.RealApiServer;

import static org.assertj.core.api.Assertions.assertThat;

/** A service account of a real API server. */
record ServiceAccount(String namespace, String name) {

    /** Writes a kubeconfig with a token of the account, like the one that the kubelet mounts into a pod. */
    Path kubeconfig(RealApiServer server, Path folder) throws IOException {
        Reply token = server.api()
                .post(
                        "/api/v1/namespaces/" + namespace + "/serviceaccounts/" + name + "/token",
                        JsonParser.parseString(
                                "{'apiVersion': 'authentication.k8s.io/v1', 'kind': 'TokenRequest', 'spec': {}}"));
        assertThat(token.code()).as(token.text()).isEqualTo(201);
        String text = Files.readString(server.kubeconfig())
                .replaceFirst("token: .*", "token: " + token.at("status.token"))
                .replaceFirst("namespace: .*", "namespace: " + namespace);
        return Files.writeString(folder.resolve(namespace + "-" + name + ".kubeconfig"), text);
    }
}
