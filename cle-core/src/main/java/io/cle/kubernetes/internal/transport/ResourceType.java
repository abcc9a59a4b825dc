package io.cle.kubernetes.internal.transport;

/**
 * A kind of object, as the API server addresses it.
 *
 * @param group the API group; empty for the core one
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

    /** The candidates of the native format, in the version that this program knows them by; {@link NegotiatedTransport} sends in others. */
    public static final ResourceType NATIVE_CANDIDATES =
            new ResourceType("coordination.k8s.io", "v1beta1", "leasecandidates", "LeaseCandidate");

    /** Administrators' strategies, {@link io.cle.api.LeaseConfiguration}. */
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

    /** Where a Service leads to. */
    public static final ResourceType ENDPOINT_SLICES =
            new ResourceType("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice");

    /** Questions about one's own rights. */
    public static final ResourceType ACCESS_REVIEWS =
            new ResourceType("authorization.k8s.io", "v1", "selfsubjectaccessreviews", "SelfSubjectAccessReview");

    /** The same type in another version of its group. */
    ResourceType inVersion(String otherVersion) {
        return new ResourceType(group, otherVersion, plural, kind);
    }

    /** The {@code apiVersion} of objects of this type. */
    public String apiVersion() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Where the version of the group begins, without a slash at the end. */
    String root() {
        return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
    }

    /** The name for a person: {@code leases.coordination.k8s.io}. */
    @Override
    public String toString() {
        return group.isEmpty() ? plural : plural + "." + group;
    }
}
