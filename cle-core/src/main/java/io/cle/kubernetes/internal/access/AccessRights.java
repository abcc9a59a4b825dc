package io.cle.kubernetes.internal.access;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.cle.ApiFormat;
import io.cle.ResourceLock;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/** Who needs which rights; the manifests with roles grant exactly these. */
public final class AccessRights {

    /** For an object that is read, watched, created and changed, and never deleted. */
    private static final List<String> KEEP = List.of("get", "list", "watch", "create", "patch");

    /** What of {@link #KEEP} a role can restrict to a name. The name of an object to create is in its body, which RBAC doesn't read. */
    private static final List<String> KEEP_BY_NAME = List.of("get", "list", "watch", "patch");

    /** For a candidate of one's own. Another one is read when it is named as a successor, and all are listed when this one may not lead any more. */
    private static final List<String> OWN_CANDIDATE = List.of("get", "list", "watch", "create", "patch", "delete");

    private AccessRights() {}

    /** What an application needs in its namespace to be a candidate for a lease that a coordinator elects for. */
    public static List<AccessRight> ofCandidate(ApiFormat format, ObjectKey lease) {
        List<AccessRight> rights = new ArrayList<>();
        addOneObject(rights, ResourceType.LEASES, lease);
        rights.add(new AccessRight(ResourceType.candidates(format), OWN_CANDIDATE, lease.namespace()));
        return List.copyOf(rights);
    }

    /** What an application needs in its namespace to race for a direct lock. */
    public static List<AccessRight> ofRacer(ResourceLock lock, ObjectKey lease) {
        List<AccessRight> rights = new ArrayList<>();
        addOneObject(rights, ResourceType.of(lock), lease);
        return List.copyOf(rights);
    }

    /** What an application needs besides, in the namespace of a direct lock's record, to write Events of leader changes. */
    public static AccessRight ofEvents(String namespace) {
        return new AccessRight(ResourceType.EVENTS, List.of("create"), namespace);
    }

    /** What an application needs besides, to keep itself in the EndpointSlice of a Service. */
    public static AccessRight ofLeaderService(ObjectKey slice) {
        return new AccessRight(ResourceType.ENDPOINT_SLICES, List.of("get", "patch"), slice.namespace(), slice.name());
    }

    /**
     * What a coordinator needs.
     *
     * @param namespaces the namespaces in scope; empty for all
     * @param replicaLease the lease by which the coordinator's replicas elect the one that coordinates
     */
    public static List<AccessRight> ofCoordinator(
            ApiFormat format, Collection<String> namespaces, ObjectKey replicaLease) {
        List<AccessRight> rights = new ArrayList<>();
        if (namespaces.isEmpty()) {
            addCoordination(rights, format, null);
        } else {
            namespaces.stream().sorted().forEach(namespace -> addCoordination(rights, format, namespace));
        }
        if (!namespaces.isEmpty() && !namespaces.contains(replicaLease.namespace())) {
            addOneObject(rights, ResourceType.LEASES, replicaLease);
        }
        return List.copyOf(rights);
    }

    /**
     * What a coordinator needs besides, if it empties the EndpointSlices of leases without a leader. Slices of any name, because their names follow
     * from the leases'.
     *
     * @param namespaces the namespaces in scope; empty for all
     */
    public static List<AccessRight> ofLeaderServices(Collection<String> namespaces) {
        List<String> verbs = List.of("get", "patch");
        return namespaces.isEmpty()
                ? List.of(new AccessRight(ResourceType.ENDPOINT_SLICES, verbs, null))
                : namespaces.stream()
                        .sorted()
                        .map(namespace -> new AccessRight(ResourceType.ENDPOINT_SLICES, verbs, namespace))
                        .toList();
    }

    private static void addOneObject(List<AccessRight> rights, ResourceType resource, ObjectKey key) {
        rights.add(new AccessRight(resource, KEEP_BY_NAME, key.namespace(), key.name()));
        rights.add(new AccessRight(resource, List.of("create"), key.namespace()));
    }

    private static void addCoordination(List<AccessRight> rights, ApiFormat format, @Nullable String namespace) {
        rights.add(new AccessRight(ResourceType.LEASES, KEEP, namespace));
        rights.add(new AccessRight(
                ResourceType.candidates(format), List.of("get", "list", "watch", "patch", "delete"), namespace));
        rights.add(new AccessRight(ResourceType.LEASE_CONFIGURATIONS, List.of("list", "watch"), namespace));
        rights.add(new AccessRight(ResourceType.PODS, List.of("get"), namespace));
        rights.add(new AccessRight(ResourceType.EVENTS, List.of("create"), namespace));
    }
}
