package io.cle.test.apiserver.memory;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.cle.test.apiserver.resource.ResourceCatalog;
import io.cle.test.apiserver.resource.ResourceType;
import io.cle.test.apiserver.status.ApiFailure;

/** Tells what the server serves, and that it is well: {@code /api}, {@code /apis}, {@code /version}, {@code /readyz}, … */
final class Discovery {

    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    private static final Set<String> HEALTH = Set.of("/healthz", "/livez", "/readyz");

    private final ResourceCatalog catalog;
    private final OpenApi openApi;

    Discovery(ResourceCatalog catalog) {
        this.catalog = catalog;
        this.openApi = new OpenApi(catalog);
    }

    /** What a server says of an address at which it has nothing. */
    ServerResponse notServed() {
        return new ServerResponse.Text(404, "404 page not found\n");
    }

    ServerResponse handle(ServerRequest request) {
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
            case "/version" -> new ServerResponse.Answer(200, version());
            case "/api" -> new ServerResponse.Answer(200, coreVersions());
            case "/apis" -> new ServerResponse.Answer(200, groups());
            case "/api/v1" -> resources("", "v1");
            default -> byGroup(path);
        };
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
                : new ServerResponse.Answer(200, withHeader(group(parts[2], versions), "APIGroup"));
    }

    private ServerResponse resources(String group, String version) {
        JsonArray resources = new JsonArray();
        for (ResourceType type : catalog.all()) {
            if (type.group().equals(group) && type.version().equals(version)) {
                resources.add(resource(type, type.plural(), VERBS));
                if (type.statusSubresource()) {
                    resources.add(resource(type, type.plural() + "/status", List.of("get", "patch", "update")));
                }
            }
        }
        if (resources.isEmpty()) {
            return notServed();
        }
        JsonObject list = withHeader(new JsonObject(), "APIResourceList");
        list.addProperty("groupVersion", group.isEmpty() ? version : group + "/" + version);
        list.add("resources", resources);
        return new ServerResponse.Answer(200, list);
    }

    private static JsonObject resource(ResourceType type, String name, List<String> verbs) {
        JsonObject resource = new JsonObject();
        resource.addProperty("name", name);
        resource.addProperty("singularName", name.equals(type.plural()) ? type.singular() : "");
        resource.addProperty("namespaced", type.namespaced());
        resource.addProperty("kind", type.kind());
        JsonArray allowed = new JsonArray();
        verbs.forEach(allowed::add);
        resource.add("verbs", allowed);
        if (!type.shortNames().isEmpty() && name.equals(type.plural())) {
            JsonArray shorts = new JsonArray();
            type.shortNames().forEach(shorts::add);
            resource.add("shortNames", shorts);
        }
        return resource;
    }

    private static JsonObject coreVersions() {
        JsonObject versions = withHeader(new JsonObject(), "APIVersions");
        JsonArray names = new JsonArray();
        names.add("v1");
        versions.add("versions", names);
        return versions;
    }

    private JsonObject groups() {
        JsonArray groups = new JsonArray();
        versions().forEach((group, versions) -> groups.add(group(group, versions)));
        JsonObject list = withHeader(new JsonObject(), "APIGroupList");
        list.add("groups", groups);
        return list;
    }

    private static JsonObject group(String name, Set<String> versions) {
        JsonArray served = new JsonArray();
        versions.forEach(version -> served.add(groupVersion(name, version)));
        JsonObject group = new JsonObject();
        group.addProperty("name", name);
        group.add("versions", served);
        group.add("preferredVersion", served.get(0));
        return group;
    }

    private static JsonObject groupVersion(String group, String version) {
        JsonObject served = new JsonObject();
        served.addProperty("groupVersion", group + "/" + version);
        served.addProperty("version", version);
        return served;
    }

    /** The versions of each group but the core one, in the order in which they came to be served. */
    private Map<String, Set<String>> versions() {
        Map<String, Set<String>> versions = new LinkedHashMap<>();
        for (ResourceType type : catalog.all()) {
            if (!type.group().isEmpty()) {
                versions.computeIfAbsent(type.group(), unused -> new LinkedHashSet<>())
                        .add(type.version());
            }
        }
        return versions;
    }

    /** It names itself as what it is, but of a Kubernetes version that has what it serves. */
    private JsonObject version() {
        String minor = catalog.nativeVersions().isEmpty() ? "20" : "33";
        JsonObject version = new JsonObject();
        version.addProperty("major", "1");
        version.addProperty("minor", minor);
        version.addProperty("gitVersion", "v1." + minor + ".0+embedded");
        version.addProperty("platform", "java");
        return version;
    }

    private static JsonObject withHeader(JsonObject object, String kind) {
        object.addProperty("kind", kind);
        object.addProperty("apiVersion", "v1");
        return object;
    }
}
