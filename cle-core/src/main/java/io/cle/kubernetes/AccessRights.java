package io.cle.kubernetes;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.cle.api.ApiFormat;
import org.jspecify.annotations.Nullable;

/** Who needs which rights; the manifests with roles grant exactly these. */
public final class AccessRights {

    /** For an object that is read, watched, created and changed, and never deleted. */
    private static final List<String> KEEP = List.of("get", "list", "watch", "create", "patch");

    private static final List<String> KEEP_AND_DELETE = List.of("get", "list", "watch", "create", "patch", "delete");

    private AccessRights() {}

    /** What an application needs in its namespace to stand for leases that a coordinator elects for. */
    public static List<AccessRight> ofCandidate(ApiFormat format, String namespace) {
        return List.of(
                new AccessRight(ResourceType.LEASES, KEEP, namespace),
                new AccessRight(candidates(format), KEEP_AND_DELETE, namespace));
    }

    /** What an application needs in its namespace to race for a direct lock. */
    public static List<AccessRight> ofRacer(DirectLock lock, String namespace) {
        return List.of(new AccessRight(lock.resource(), KEEP, namespace));
    }

    /**
     * What a coordinator needs.
     *
     * @param namespaces the namespaces in scope; empty for all
     * @param ownNamespace where the coordinators elect one among themselves
     */
    public static List<AccessRight> ofCoordinator(
            ApiFormat format, Collection<String> namespaces, String ownNamespace) {
        List<AccessRight> rights = new ArrayList<>();
        if (namespaces.isEmpty()) {
            addCoordination(rights, format, null);
        } else {
            namespaces.stream().sorted().forEach(namespace -> addCoordination(rights, format, namespace));
        }
        if (!namespaces.isEmpty() && !namespaces.contains(ownNamespace)) {
            rights.add(new AccessRight(ResourceType.LEASES, KEEP, ownNamespace));
        }
        return List.copyOf(rights);
    }

    private static void addCoordination(List<AccessRight> rights, ApiFormat format, @Nullable String namespace) {
        rights.add(new AccessRight(ResourceType.LEASES, KEEP, namespace));
        rights.add(new AccessRight(candidates(format), List.of("get", "list", "watch", "patch", "delete"), namespace));
        rights.add(new AccessRight(ResourceType.LEASE_CONFIGURATIONS, List.of("list", "watch"), namespace));
        rights.add(new AccessRight(ResourceType.PODS, List.of("get"), namespace));
        rights.add(new AccessRight(ResourceType.EVENTS, List.of("create"), namespace));
    }

    private static ResourceType candidates(ApiFormat format) {
        return format == ApiFormat.NATIVE ? ResourceType.NATIVE_CANDIDATES : ResourceType.CRD_CANDIDATES;
    }
}
