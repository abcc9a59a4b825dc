package io.cle.coordinator.informer;

import java.util.List;

import io.kubernetes.client.common.KubernetesListObject;
import io.kubernetes.client.openapi.models.V1ListMeta;

/** A list as an informer takes it. */
final class ObservedList<O extends Observed<?>> implements KubernetesListObject {

    private final V1ListMeta metadata;
    private final List<O> items;

    ObservedList(String resourceVersion, List<O> items) {
        this.metadata = new V1ListMeta().resourceVersion(resourceVersion);
        this.items = List.copyOf(items);
    }

    @Override
    public V1ListMeta getMetadata() {
        return metadata;
    }

    @Override
    public List<O> getItems() {
        return items;
    }

    /** {@inheritDoc} Not empty, as the reflector would search the whole class path for it otherwise. */
    @Override
    public String getApiVersion() {
        return "v1";
    }

    @Override
    public String getKind() {
        return "ObservedList";
    }
}
