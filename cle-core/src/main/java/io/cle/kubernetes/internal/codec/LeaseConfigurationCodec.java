package io.cle.kubernetes.internal.codec;

import java.util.Optional;

import io.cle.api.LeaseConfiguration;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;

/** Administrators' strategies, {@code coordination.cle.io/v1alpha1} LeaseConfiguration. */
public final class LeaseConfigurationCodec implements ObjectCodec<LeaseConfiguration> {

    @Override
    public ResourceType resource() {
        return ResourceType.LEASE_CONFIGURATIONS;
    }

    @Override
    public Optional<LeaseConfiguration> decode(ServedObject object) throws MalformedObjectException {
        ObjectKey key = object.key();
        Fields spec = object.spec();
        String target = spec.requiredString("targetLease");
        try {
            ObjectKey lease =
                    target.indexOf('/') < 0 ? new ObjectKey(key.namespace(), target) : ObjectKey.parse(target);
            return Optional.of(new LeaseConfiguration(key, lease, spec.requiredString("strategy")));
        } catch (IllegalArgumentException e) {
            throw new MalformedObjectException("spec.targetLease: " + e.getMessage());
        }
    }
}
