package io.cle.test.apiserver.memory;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.resource.ApiResource;
import io.cle.test.apiserver.resource.ResourceCatalog;
import io.cle.test.apiserver.status.ApiFailure;
import io.kubernetes.client.openapi.models.V1APIGroup;
import io.kubernetes.client.openapi.models.V1APIGroupList;
import io.kubernetes.client.openapi.models.V1APIResource;
import io.kubernetes.client.openapi.models.V1APIResourceList;
import io.kubernetes.client.openapi.models.V1APIVersions;
import io.kubernetes.client.openapi.models.V1GroupVersionForDiscovery;
import io.kubernetes.client.openapi.models.VersionInfo;

/** Serves API discovery and health checks: {@code /api}, {@code /apis}, {@code /version}, {@code /readyz}, … */
final class Discovery {

    private static final List<String> VERBS = List.of("create", "delete", "get", "list", "patch", "update", "watch");
    private static final Gson GSON = new Gson();
    private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

    private final ResourceCatalog catalog;
    private final OpenApi openApi;

    Discovery(ResourceCatalog catalog) {
        this.catalog = catalog;
        this.openApi = new OpenApi(catalog);
    }

    /** Returns the response for an unknown path. */
    ServerResponse notServed() {
        return new ServerResponse.Text(404, "404 page not found\n");
    }

    ServerResponse handle(ApiServerRequest request) {
        if (!request.method().equals("GET")) {
            throw ApiFailure.methodNotAllowed();
        }
        String path = request.path().endsWith("/") && request.path().length() > 1
                ? request.path().substring(0, request.path().length() - 1)
                : request.path();
        if (HEALTH.contains(path)) {
            return new ServerResponse.Text(200, "ok");
        }
        if (path.startsWith("/openapi/v3")) {
            JsonObject document = openApi.at(path);
            return document == null ? notServed() : new ServerResponse.Answer(200, document);
        }
        return switch (path) {
            case "/version" -> answer(version());
            case "/api" ->
                answer(new V1APIVersions().kind("APIVersions").apiVersion("v1").addVersionsItem("v1"));
            case "/apis" -> answer(groups());
            case "/api/v1" -> resources("", "v1");
            default -> byGroup(path);
        };
    }

    private static ServerResponse answer(Object model) {
        return new ServerResponse.Answer(200, GSON.toJsonTree(model));
    }

    private ServerResponse byGroup(String path) {
        String[] parts = path.split("/");
        if (parts.length < 3 || !parts[1].equals("apis")) {
            return notServed();
        }
        if (parts.length == 4) {
            return resources(parts[2], parts[3]);
        }
        Set<String> versions = versions().get(parts[2]);
        return versions == null
                ? notServed()
                : answer(group(parts[2], versions).kind("APIGroup").apiVersion("v1"));
    }

    private ServerResponse resources(String group, String version) {
        V1APIResourceList list = new V1APIResourceList()
                .kind("APIResourceList")
                .apiVersion("v1")
                .groupVersion(group.isEmpty() ? version : group + "/" + version);
        for (ApiResource type : catalog.all()) {
            if (type.group().equals(group) && type.version().equals(version)) {
                list.addResourcesItem(resource(type, type.plural(), VERBS)
                        .singularName(type.singular())
                        .shortNames(type.shortNames()));
                if (type.statusSubresource()) {
                    list.addResourcesItem(resource(type, type.plural() + "/status", List.of("get", "patch", "update")));
                }
            }
        }
        return list.getResources().isEmpty() ? notServed() : answer(list);
    }

    private static V1APIResource resource(ApiResource type, String name, List<String> verbs) {
        return new V1APIResource()
                .name(name)
                .singularName("")
                .namespaced(type.namespaced())
                .kind(type.kind())
                .verbs(verbs);
    }

    private V1APIGroupList groups() {
        V1APIGroupList list = new V1APIGroupList().kind("APIGroupList").apiVersion("v1");
        versions().forEach((group, versions) -> list.addGroupsItem(group(group, versions)));
        return list;
    }

    private static V1APIGroup group(String name, Set<String> versions) {
        List<V1GroupVersionForDiscovery> served = versions.stream()
                .map(version -> new V1GroupVersionForDiscovery()
                        .groupVersion(name + "/" + version)
                        .version(version))
                .toList();
        return new V1APIGroup().name(name).versions(served).preferredVersion(served.get(0));
    }

    /** The versions of each group but the core one, in the order in which they were added. */
    private Map<String, Set<String>> versions() {
        Map<String, Set<String>> versions = new LinkedHashMap<>();
        for (ApiResource type : catalog.all()) {
            if (!type.group().isEmpty()) {
                versions.computeIfAbsent(type.group(), unused -> new LinkedHashSet<>())
                        .add(type.version());
            }
        }
        return versions;
    }

    /** Reports a Kubernetes version that has the served APIs, marked as embedded. */
    private VersionInfo version() {
        String minor = catalog.nativeVersions().isEmpty() ? "20" : "33";
        return new VersionInfo()
                .major("1")
                .minor(minor)
                .gitVersion("v1." + minor + ".0+embedded")
                .platform("java");
    }
}
