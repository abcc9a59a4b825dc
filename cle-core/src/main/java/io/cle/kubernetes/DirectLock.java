package io.cle.kubernetes;

import java.util.List;

/** What processes race for where no coordinator elects; the names are client-go's. */
public enum DirectLock {
    /** A Lease. */
    LEASES(ResourceType.LEASES),
    /** A record in an annotation of an Endpoints object; for legacy records. */
    ENDPOINTS(ResourceType.ENDPOINTS),
    /** A record in an annotation of a ConfigMap object; for legacy records. */
    CONFIGMAPS(ResourceType.CONFIG_MAPS),
    /** Both, the Endpoints object first: while moving from the one to the other. */
    ENDPOINTSLEASES(ResourceType.ENDPOINTS, ResourceType.LEASES),
    /** Both, the ConfigMap first: while moving from the one to the other. */
    CONFIGMAPSLEASES(ResourceType.CONFIG_MAPS, ResourceType.LEASES);

    private final List<ResourceType> resources;

    DirectLock(ResourceType... resources) {
        this.resources = List.of(resources);
    }

    /** The kinds of objects it consists of, in the order in which they are written. */
    public List<ResourceType> resources() {
        return resources;
    }
}
