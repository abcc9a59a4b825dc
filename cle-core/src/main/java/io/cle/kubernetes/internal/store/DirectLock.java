package io.cle.kubernetes.internal.store;

import io.cle.kubernetes.internal.transport.ResourceType;

/** The kinds of record that processes race for without a coordinator; the names are client-go's. Locks of two records do not exist. */
public enum DirectLock {
    /** A Lease. */
    LEASES(ResourceType.LEASES),
    /** A record in an annotation of an Endpoints object; for legacy records. */
    ENDPOINTS(ResourceType.ENDPOINTS),
    /** A record in an annotation of a ConfigMap object; for legacy records. */
    CONFIGMAPS(ResourceType.CONFIG_MAPS);

    private final ResourceType resource;

    DirectLock(ResourceType resource) {
        this.resource = resource;
    }

    /** The kind of object that holds the record. */
    public ResourceType resource() {
        return resource;
    }
}
