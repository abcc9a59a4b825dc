package io.cle.test.apiserver.memory;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.cle.test.apiserver.resource.ApiResource;
import org.jspecify.annotations.Nullable;

/**
 * The parsed path of a request for objects.
 *
 * @param group empty for the core group
 * @param address the {@link ApiResource#address(String, String, String) address} of the kind of object
 * @param namespace null for all, and for cluster-scoped kinds
 * @param name null for the collection
 * @param subresource such as {@code status}, null for the object itself
 */
record RequestPath(
        String group,
        String address,
        @Nullable String namespace,
        String plural,
        @Nullable String name,
        @Nullable String subresource) {

    /** Returns the object's namespace as in the store: empty if cluster-scoped. */
    String objectNamespace() {
        return namespace == null ? "" : namespace;
    }

    /** Returns the object's name. */
    String objectName() {
        return Objects.requireNonNull(name);
    }

    /** Parses a path; null if it isn't one of objects. */
    static @Nullable RequestPath parse(String path) {
        List<String> parts = split(path);
        if (parts.size() >= 3 && parts.get(0).equals("api")) {
            return parse("", parts.get(1), parts.subList(2, parts.size()));
        }
        if (parts.size() >= 4 && parts.get(0).equals("apis")) {
            return parse(parts.get(1), parts.get(2), parts.subList(3, parts.size()));
        }
        return null;
    }

    private static RequestPath parse(String group, String version, List<String> parts) {
        boolean namespaced = parts.get(0).equals("namespaces") && parts.size() >= 3;
        int kind = namespaced ? 2 : 0;
        String plural = parts.get(kind);
        return new RequestPath(
                group,
                ApiResource.address(group, version, plural),
                namespaced ? parts.get(1) : null,
                plural,
                at(parts, kind + 1),
                at(parts, kind + 2));
    }

    private static @Nullable String at(List<String> parts, int index) {
        return index < parts.size() ? parts.get(index) : null;
    }

    private static List<String> split(String path) {
        List<String> parts = new ArrayList<>(8);
        int start = 0;
        while (start < path.length()) {
            int end = path.indexOf('/', start);
            end = end < 0 ? path.length() : end;
            if (end > start) {
                String part = path.substring(start, end);
                parts.add(part.indexOf('%') < 0 ? part : URLDecoder.decode(part, StandardCharsets.UTF_8));
            }
            start = end + 1;
        }
        return parts;
    }
}
