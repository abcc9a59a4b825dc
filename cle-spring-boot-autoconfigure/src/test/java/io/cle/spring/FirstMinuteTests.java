package io.cle.spring;

import java.util.List;

import io.cle.test.apiserver.CustomResourceDefinitions;
import io.cle.test.apiserver.EmbeddedApiServer;
import io.cle.test.apiserver.memory.ApiServerRequest;
import org.junit.jupiter.api.AfterEach;

/** On the embedded API server. */
class FirstMinuteTests extends FirstMinuteContract {

    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    private final EmbeddedApiServer server =
            EmbeddedApiServer.builder().withoutCustomResourceDefinitions().start();

    @AfterEach
    void end() {
        stop();
        server.close();
    }

    @Override
    List<String> cluster() {
        return List.of("--cle.kubernetes.base-url=" + server.url());
    }

    @Override
    void removeDefinitions() {
        // The server starts without any.
    }

    @Override
    void applyDefinitions() {
        CustomResourceDefinitions.all()
                .forEach(definition -> server.handle(ApiServerRequest.post(DEFINITIONS, definition)));
    }

    @Override
    void denyCandidates() {
        server.deny("*", "leasecandidates", "shop");
    }

    @Override
    void allowCandidates() {
        server.allowAll();
    }
}
