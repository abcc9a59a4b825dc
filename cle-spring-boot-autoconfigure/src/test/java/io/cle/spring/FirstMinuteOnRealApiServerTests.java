package io.cle.spring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.CustomResourceDefinitions;
import io.cle.test.apiserver.HttpApi.Reply;
import io.cle.test.apiserver.real.EnabledIfRealApiServer;
import io.cle.test.apiserver.real.RealApiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * On a real API server, with a service account that has the Role shipped for direct locks, without rights on candidates.
 */
@EnabledIfRealApiServer
class FirstMinuteOnRealApiServerTests extends FirstMinuteContract {

    private static final Path DEPLOY = Path.of("../cle-coordinator-app/deploy");
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/";

    private static final String ROLE_OF_CANDIDATES = """
            {"metadata": {"name": "candidates"}, "rules": [{"apiGroups": ["coordination.cle.io"],
             "resources": ["leasecandidates"], "verbs": ["get", "list", "watch", "create", "patch", "delete"]}]}
            """;

    private static final String BINDING_OF_CANDIDATES = """
            {"metadata": {"name": "candidates"},
             "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "candidates"},
             "subjects": [{"kind": "ServiceAccount", "name": "orders", "namespace": "shop"}]}
            """;

    private static RealApiServer server;

    @TempDir
    Path folder;

    @BeforeAll
    static void startServer() {
        server = RealApiServer.start();
        create("/api/v1/namespaces", JsonParser.parseString("{'metadata': {'name': 'shop'}}"));
        create("/api/v1/namespaces/shop/serviceaccounts", JsonParser.parseString("{'metadata': {'name': 'orders'}}"));
    }

    @AfterAll
    static void endServer() {
        server.close();
    }

    @BeforeEach
    void begin() throws IOException {
        denyCandidates();
        server.api().delete("/apis/coordination.k8s.io/v1/namespaces/shop/leases/orders");
        Gson gson = new Gson();
        for (Object document : new Yaml().loadAll(Files.readString(DEPLOY.resolve("direct-lock/rbac.yaml")))) {
            JsonElement object = gson.toJsonTree(document);
            boolean role = object.getAsJsonObject().get("kind").getAsString().equals("Role");
            create(ROLES + (role ? "roles" : "rolebindings"), object);
        }
    }

    /** Creates an object unless it exists. */
    private static Reply create(String path, JsonElement object) {
        Reply reply = server.api().post(path, object);
        assertThat(reply.code()).as(reply.text()).isIn(201, 409);
        return reply;
    }

    @Override
    List<String> cluster() {
        Reply token = create(
                "/api/v1/namespaces/shop/serviceaccounts/orders/token",
                JsonParser.parseString(
                        "{'apiVersion': 'authentication.k8s.io/v1', 'kind': 'TokenRequest', 'spec': {}}"));
        try {
            String kubeconfig = Files.readString(server.kubeconfig())
                    .replaceFirst("token: .*", "token: " + token.at("status.token"));
            Path file = Files.writeString(folder.resolve("orders.kubeconfig"), kubeconfig);
            return List.of("--cle.kubernetes.kubeconfig=" + file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    void removeDefinitions() {
        CustomResourceDefinitions.all()
                .forEach(definition -> server.api()
                        .delete(DEFINITIONS + "/"
                                + definition
                                        .getAsJsonObject("metadata")
                                        .get("name")
                                        .getAsString()));
        awaitServed(404);
        allowCandidates();
    }

    @Override
    void applyDefinitions() {
        CustomResourceDefinitions.all().forEach(definition -> create(DEFINITIONS, definition));
        awaitServed(200);
    }

    private static void awaitServed(int code) {
        org.awaitility.Awaitility.await()
                .until(() -> server.api()
                                .get("/apis/coordination.cle.io/v1alpha1/namespaces/shop/leasecandidates")
                                .code()
                        == code);
    }

    @Override
    void denyCandidates() {
        server.api().delete(ROLES + "rolebindings/candidates");
    }

    @Override
    void allowCandidates() {
        create(ROLES + "roles", JsonParser.parseString(ROLE_OF_CANDIDATES));
        create(ROLES + "rolebindings", JsonParser.parseString(BINDING_OF_CANDIDATES));
    }
}
