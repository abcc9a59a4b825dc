package io.cle.test.apiserver.memory;

import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.cle.test.apiserver.resource.ApiResource;
import io.cle.test.apiserver.resource.ResourceCatalog;
import org.jspecify.annotations.Nullable;

/**
 * The part of {@code /openapi/v3} that {@code kubectl create}, {@code apply} and {@code edit} read before they write:
 * every kind accepts the parameters {@code fieldValidation} and {@code dryRun}. The server validates fields.
 */
final class OpenApi {

    private static final String ROOT = "/openapi/v3";
    private static final String INDEX = "{\"paths\": {%s}}";
    private static final String LOCATION = "\"%1$s\": {\"serverRelativeURL\": \"/openapi/v3/%1$s\"}";
    private static final String DOCUMENT = """
            {"openapi": "3.0.0", "info": {"title": "Kubernetes", "version": "embedded"}, "components": {"schemas": {}},
             "paths": {%s}}
            """;
    private static final String PATCH_OF_A_KIND = """
            "/%s/%s%s/{name}": {"patch": {
              "x-kubernetes-action": "patch",
              "x-kubernetes-group-version-kind": {"group": "%s", "version": "%s", "kind": "%s"},
              "parameters": [{"name": "dryRun", "in": "query", "schema": {"type": "string"}},
                             {"name": "fieldValidation", "in": "query", "schema": {"type": "string"}}],
              "responses": {}}}
            """;

    private final ResourceCatalog catalog;

    OpenApi(ResourceCatalog catalog) {
        this.catalog = catalog;
    }

    /** The document at a path, null when there is none. */
    @Nullable
    JsonObject at(String path) {
        if (path.equals(ROOT)) {
            return JsonParser.parseString(INDEX.formatted(of(type -> true, type -> LOCATION.formatted(address(type)))))
                    .getAsJsonObject();
        }
        String paths = of(type -> path.equals(ROOT + "/" + address(type)), OpenApi::patch);
        return paths.isEmpty()
                ? null
                : JsonParser.parseString(DOCUMENT.formatted(paths)).getAsJsonObject();
    }

    private String of(Predicate<ApiResource> wanted, Function<ApiResource, String> text) {
        return catalog.all().stream().filter(wanted).map(text).distinct().collect(Collectors.joining(","));
    }

    private static String patch(ApiResource type) {
        return PATCH_OF_A_KIND.formatted(
                address(type),
                type.namespaced() ? "namespaces/{namespace}/" : "",
                type.plural(),
                type.group(),
                type.version(),
                type.kind());
    }

    private static String address(ApiResource type) {
        return type.group().isEmpty() ? "api/v1" : "apis/" + type.apiVersion();
    }
}
