package io.cle.kubernetes.internal.codec;

import java.util.Optional;

import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.store.internal.LeaseConfiguration;
import org.jspecify.annotations.Nullable;

/** Administrators' strategies, {@code coordination.cle.io/v1alpha1} LeaseConfiguration. */
public final class LeaseConfigurationCodec implements JsonCodec<LeaseConfiguration> {

    @Override
    public ResourceType resource() {
        return ResourceType.LEASE_CONFIGURATIONS;
    }

    @Override
    public Optional<LeaseConfiguration> decode(ServedObject object) throws MalformedObjectException {
        String strategy = object.spec().requiredString("strategy");
        return Optional.of(new LeaseConfiguration(object.key(), targetOf(object), strategy));
    }

    @Override
    public @Nullable ObjectKey leaseNamedBy(ServedObject object) {
        try {
            return targetOf(object);
        } catch (MalformedObjectException e) {
            return null;
        }
    }

    private static ObjectKey targetOf(ServedObject object) throws MalformedObjectException {
        String target = object.spec().requiredString("targetLease");
        try {
            return target.indexOf('/') < 0 ? new ObjectKey(object.key().namespace(), target) : ObjectKey.parse(target);
        } catch (IllegalArgumentException e) {
            throw new MalformedObjectException("spec.targetLease: " + e.getMessage());
        }
    }
}
