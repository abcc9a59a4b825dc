package io.cle.test.apiserver.resource;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The kinds that the server serves at the moment: the built-in ones, Kubernetes' own LeaseCandidates while they are
 * switched on, and those of the CustomResourceDefinitions there are. Not thread-safe.
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
     * Begins or ceases to serve Kubernetes' own LeaseCandidates and the Lease's fields for them.
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

    /** A version that stays is the same type, because its open watches stay, too. */
    private static ApiResource versionOf(String version, List<ApiResource> kept) {
        return kept.stream()
                .filter(type -> type.version().equals(version))
                .findFirst()
                .orElseGet(() -> BuiltInTypes.nativeCandidates(version));
    }

    /** Serves what a CustomResourceDefinition defines, in place of what one of its name defined before. */
    public void define(String name, JsonObject definition) {
        remove(name);
        add(name, CustomResources.typesOf(definition));
    }

    /**
     * Ceases to serve what a CustomResourceDefinition defined.
     *
     * @return the kinds that are served no more
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
