package io.cle.test.apiserver.real;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.HttpApi;
import io.cle.test.apiserver.HttpApi.Reply;

/** Creates CustomResourceDefinitions and waits until they are served. */
final class CustomResourceSetup {

    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final long STEP_NANOS = 20_000_000;
    private static final int STEPS = 1_500;

    private final HttpApi api;

    CustomResourceSetup(HttpApi api) {
        this.api = api;
    }

    void apply(List<JsonObject> definitions) {
        for (JsonObject definition : definitions) {
            Reply created = api.post(DEFINITIONS, definition);
            if (created.code() != 201 && created.code() != 409) {
                throw new IllegalStateException("the API server refuses a CustomResourceDefinition: " + created.text());
            }
        }
        definitions.forEach(this::awaitServed);
    }

    private void awaitServed(JsonObject definition) {
        JsonObject spec = definition.getAsJsonObject("spec");
        JsonArray versions = spec.getAsJsonArray("versions");
        String path = "/apis/" + spec.get("group").getAsString() + "/"
                + versions.get(0).getAsJsonObject().get("name").getAsString() + "/"
                + spec.getAsJsonObject("names").get("plural").getAsString();
        for (int step = 0; api.get(path).code() != 200; step++) {
            if (step == STEPS) {
                throw new IllegalStateException("a CustomResourceDefinition is not served after 30 s: " + path);
            }
            LockSupport.parkNanos(STEP_NANOS);
        }
    }
}
