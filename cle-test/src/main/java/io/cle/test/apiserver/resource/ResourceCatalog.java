package io.cle.test.apiserver.resource;

import java.util.ArrayList;
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

    private final Map<Address, ResourceType> types = new LinkedHashMap<>();
    private final Map<String, List<Address>> defined = new LinkedHashMap<>();
    private boolean nativeLeaseFields;

    /** The built-in kinds, without the native candidates. */
    public ResourceCatalog() {
        BuiltInTypes.all(() -> nativeLeaseFields).forEach(type -> types.put(addressOf(type), type));
    }

    /** The versions of {@code coordination.k8s.io} in which LeaseCandidates are served. */
    public List<String> nativeVersions() {
        return defined.getOrDefault(NATIVE, List.of()).stream()
                .map(Address::version)
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
            List<ResourceType> kept = remove(NATIVE);
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
    private static ResourceType versionOf(String version, List<ResourceType> kept) {
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
    public List<ResourceType> undefine(String name) {
        return remove(name);
    }

    /** The kind at an address, null when it isn't served. */
    public @Nullable ResourceType find(String group, String version, String plural) {
        return types.get(new Address(group, version, plural));
    }

    /** All kinds. */
    public Collection<ResourceType> all() {
        return Collections.unmodifiableCollection(types.values());
    }

    private void add(String name, List<ResourceType> added) {
        List<Address> addresses = new ArrayList<>();
        for (ResourceType type : added) {
            addresses.add(addressOf(type));
            types.put(addressOf(type), type);
        }
        defined.put(name, addresses);
    }

    private List<ResourceType> remove(String name) {
        List<ResourceType> removed = new ArrayList<>();
        List<Address> addresses = defined.remove(name);
        if (addresses != null) {
            for (Address address : addresses) {
                ResourceType type = types.remove(address);
                if (type != null) {
                    removed.add(type);
                }
            }
        }
        return removed;
    }

    private static Address addressOf(ResourceType type) {
        return new Address(type.group(), type.version(), type.plural());
    }

    private record Address(String group, String version, String plural) {}
}
