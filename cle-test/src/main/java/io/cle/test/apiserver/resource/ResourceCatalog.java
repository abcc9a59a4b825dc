package io.cle.test.apiserver.resource;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The kinds currently served: the built-in ones, Kubernetes' own LeaseCandidates while they are enabled, and those
 * of CustomResourceDefinitions. Not thread-safe.
 */
public final class ResourceCatalog {

    private static final String NATIVE = "native";

    private final Map<String, ApiResource> types = new LinkedHashMap<>();
    private final Map<String, List<ApiResource>> defined = new LinkedHashMap<>();
    private boolean nativeLeaseFields;

    /** The built-in kinds, without the native candidates. */
    public ResourceCatalog() {
        BuiltInTypes.all(() -> nativeLeaseFields).forEach(type -> types.put(type.address(), type));
    }

    /** The versions of {@code coordination.k8s.io} in which LeaseCandidates are served. */
    public List<String> nativeVersions() {
        return defined.getOrDefault(NATIVE, List.of()).stream()
                .map(ApiResource::version)
                .toList();
    }

    /**
     * Starts or stops serving Kubernetes' own LeaseCandidates and the Lease's fields for them.
     *
     * @param versions the versions of {@code coordination.k8s.io} in which LeaseCandidates are served
     * @param leaseFields whether Leases keep {@code strategy} and {@code preferredHolder}
     */
    public void serveNative(List<String> versions, boolean leaseFields) {
        nativeLeaseFields = leaseFields;
        if (!versions.equals(nativeVersions())) {
            List<ApiResource> kept = remove(NATIVE);
            if (!versions.isEmpty()) {
                add(
                        NATIVE,
                        versions.stream()
                                .map(version -> versionOf(version, kept))
                                .toList());
            }
        }
    }

    /** Reuses the type of a version that stays: its open watches refer to it. */
    private static ApiResource versionOf(String version, List<ApiResource> kept) {
        return kept.stream()
                .filter(type -> type.version().equals(version))
                .findFirst()
                .orElseGet(() -> BuiltInTypes.nativeCandidates(version));
    }

    /** Serves a CustomResourceDefinition's kinds, replacing those of an earlier one of the same name. */
    public void define(String name, JsonObject definition) {
        remove(name);
        add(name, CustomResources.typesOf(definition));
    }

    /**
     * Stops serving a CustomResourceDefinition's kinds.
     *
     * @return the kinds that are no longer served
     */
    public List<ApiResource> undefine(String name) {
        return remove(name);
    }

    /**
     * The kind at an address, null when it isn't served.
     *
     * @param address {@link ApiResource#address(String, String, String)}
     */
    public @Nullable ApiResource find(String address) {
        return types.get(address);
    }

    /** All kinds. */
    public Collection<ApiResource> all() {
        return Collections.unmodifiableCollection(types.values());
    }

    private void add(String name, List<ApiResource> added) {
        added.forEach(type -> types.put(type.address(), type));
        defined.put(name, added);
    }

    private List<ApiResource> remove(String name) {
        List<ApiResource> removed = defined.remove(name);
        if (removed == null) {
            return List.of();
        }
        removed.forEach(type -> types.remove(type.address()));
        return removed;
    }
}
