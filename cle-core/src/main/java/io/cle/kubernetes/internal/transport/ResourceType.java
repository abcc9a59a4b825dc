package io.cle.kubernetes.internal.transport;

import java.util.List;

import io.cle.ApiFormat;
import io.cle.ResourceLock;

/**
 * A kind of object in the API.
 *
 * @param group the API group; empty for the core group
 * @param version the version of the group
 * @param plural the name in paths and in roles
 * @param kind the name in objects
 */
public record ResourceType(String group, String version, String plural, String kind) {

    /** {@code coordination.k8s.io/v1} Leases. */
    public static final ResourceType LEASES = new ResourceType("coordination.k8s.io", "v1", "leases", "Lease");

    /** The candidates of the crd format. */
    public static final ResourceType CRD_CANDIDATES =
            new ResourceType("coordination.cle.io", "v1alpha1", "leasecandidates", "LeaseCandidate");

    /** The candidates of the native format, as Kubernetes 1.33 and newer serve them. */
    public static final ResourceType NATIVE_CANDIDATES =
            new ResourceType("coordination.k8s.io", "v1beta1", "leasecandidates", "LeaseCandidate");

    /**
     * The candidates of the native format in all supported versions, the preferred one first. All serve the same objects with the same
     * fields. Kubernetes 1.32 serves {@code v1alpha2}, 1.33 serves {@code v1beta1} instead, and 1.36 serves both. {@code v1beta1} will be
     * removed in 1.39, after the introduction of {@code v1}. Kubernetes 1.31's {@code v1alpha1} has other fields and isn't supported.
     */
    public static final List<ResourceType> NATIVE_VERSIONS =
            List.of(NATIVE_CANDIDATES.inVersion("v1"), NATIVE_CANDIDATES, NATIVE_CANDIDATES.inVersion("v1alpha2"));

    /** Lease configurations, which only coordinators read. */
    public static final ResourceType LEASE_CONFIGURATIONS =
            new ResourceType("coordination.cle.io", "v1alpha1", "leaseconfigurations", "LeaseConfiguration");

    /** Endpoints, for the legacy records of client-go. */
    public static final ResourceType ENDPOINTS = new ResourceType("", "v1", "endpoints", "Endpoints");

    /** ConfigMaps, for the legacy records of client-go. */
    public static final ResourceType CONFIG_MAPS = new ResourceType("", "v1", "configmaps", "ConfigMap");

    /** Pods. */
    public static final ResourceType PODS = new ResourceType("", "v1", "pods", "Pod");

    /** Events about objects. */
    public static final ResourceType EVENTS = new ResourceType("", "v1", "events", "Event");

    /** Returns the candidates of a format; for the native format, {@code v1beta1}. */
    public static ResourceType candidates(ApiFormat format) {
        return format == ApiFormat.NATIVE ? NATIVE_CANDIDATES : CRD_CANDIDATES;
    }

    /** Returns the format whose candidates these are. */
    public ApiFormat format() {
        return group.equals(NATIVE_CANDIDATES.group) ? ApiFormat.NATIVE : ApiFormat.CRD;
    }

    /** Returns the kind of object that holds a lock. */
    public static ResourceType of(ResourceLock lock) {
        return switch (lock) {
            case COORDINATEDLEASES, LEASES -> LEASES;
            case ENDPOINTS -> ENDPOINTS;
            case CONFIGMAPS -> CONFIG_MAPS;
        };
    }

    private ResourceType inVersion(String otherVersion) {
        return new ResourceType(group, otherVersion, plural, kind);
    }

    /** Returns the {@code apiVersion} of objects of this type. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Returns the path of the group's version, without a trailing slash. */
    String root() {
        return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
    }

    /** Returns the name for display: {@code leases.coordination.k8s.io}. */
    @Override
    public String toString() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
