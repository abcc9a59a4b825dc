package io.cle.kubernetes.internal.access;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.cle.ApiFormat;
import io.cle.ResourceLock;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/** The rights that applications and coordinators need. The roles in the manifests grant exactly these. */
public final class AccessRights {

    /** The verbs for an object that is read, watched, created and changed, but never deleted. */
    private static final List<String> KEEP = List.of("get", "list", "watch", "create", "patch");

    /** The verbs of {@link #KEEP} that a role can restrict to a name. The name of an object to create is in the body, which RBAC doesn't read. */
    private static final List<String> KEEP_BY_NAME = List.of("get", "list", "watch", "patch");

    /**
     * The verbs for candidates. A process writes its own, reads a candidate that is named as its successor, and lists all when it may no
     * longer lead.
     */
    private static final List<String> OWN_CANDIDATE = List.of("get", "list", "watch", "create", "patch", "delete");

    private AccessRights() {}

    /** Returns what an application needs in its namespace to be a candidate for a coordinated lease. */
    public static List<AccessRight> ofCandidate(ApiFormat format, ObjectKey lease) {
        List<AccessRight> rights = new ArrayList<>();
        addOneObject(rights, ResourceType.LEASES, lease);
        rights.add(new AccessRight(ResourceType.candidates(format), OWN_CANDIDATE, lease.namespace()));
        return List.copyOf(rights);
    }

    /** Returns what an application needs in its namespace to be a candidate for a group of leases, which it finds by their label. */
    public static List<AccessRight> ofGroup(String namespace) {
        return List.of(
                new AccessRight(ResourceType.LEASES, KEEP, namespace),
                new AccessRight(ResourceType.CRD_CANDIDATES, OWN_CANDIDATE, namespace));
    }

    /** Returns what an application needs in its namespace to race for a direct lock. */
    public static List<AccessRight> ofRacer(ResourceLock lock, ObjectKey lease) {
        List<AccessRight> rights = new ArrayList<>();
        addOneObject(rights, ResourceType.of(lock), lease);
        return List.copyOf(rights);
    }

    /** Returns what an application needs in addition, in the namespace of a direct lock's record, to write Events of leader changes. */
    public static AccessRight ofEvents(String namespace) {
        return new AccessRight(ResourceType.EVENTS, List.of("create"), namespace);
    }

    /**
     * Returns what a coordinator needs.
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
