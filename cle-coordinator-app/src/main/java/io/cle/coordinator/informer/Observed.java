package io.cle.coordinator.informer;

import java.util.Objects;
import java.util.Optional;

import io.cle.api.WatchEvent;
import io.cle.model.ObjectKey;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;

/**
 * An object as an informer keeps it: where it stands, its version, and what it says in terms of the model. Its JSON isn't kept.
 * One subclass a kind, as a factory keeps one informer a class.
 *
 * @param <T> the kind of object in the model
 */
public abstract class Observed<T> implements KubernetesObject {

    private final V1ObjectMeta metadata;
    private final @Nullable WatchEvent<T> event;
    private final @Nullable Listing listing;

    Observed(V1ObjectMeta metadata, @Nullable WatchEvent<T> event, @Nullable Listing listing) {
        this.metadata = metadata;
        this.event = event;
        this.listing = listing;
    }

    /** Makes objects of one kind. */
    interface Factory<T, O extends Observed<T>> {

        /**
         * An object.
         *
         * @param event what it says; {@code null} for a bookmark, which has nothing but a version, and for a deletion
         * @param listing the list that it came with; {@code null} when a watch has brought it
         */
        O of(V1ObjectMeta metadata, @Nullable WatchEvent<T> event, @Nullable Listing listing);
    }

    /** What it says. */
    Optional<WatchEvent<T>> event() {
        return Optional.ofNullable(event);
    }

    /** The list that it came with. */
    Optional<Listing> listing() {
        return Optional.ofNullable(listing);
    }

    /** Where it stands. */
    ObjectKey key() {
        return new ObjectKey(
                Objects.requireNonNull(metadata.getNamespace()), Objects.requireNonNull(metadata.getName()));
    }

    @Override
    public V1ObjectMeta getMetadata() {
        return metadata;
    }

    @Override
    public String getApiVersion() {
        return "";
    }

    @Override
    public String getKind() {
        return getClass().getSimpleName();
    }
}
