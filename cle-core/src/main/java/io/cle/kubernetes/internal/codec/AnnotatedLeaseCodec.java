package io.cle.kubernetes.internal.codec;

import java.util.Optional;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.internal.Lease;

/**
 * Leases of the crd format and of direct locks: a {@code coordination.k8s.io/v1} Lease with the fields that every API server knows, and
 * annotations for data that only newer API servers have fields for. Leases without annotations, such as client-go's, can also be read.
 */
public final class AnnotatedLeaseCodec implements LeaseCodec {

    @Override
    public ResourceType resource() {
        return ResourceType.LEASES;
    }

    @Override
    public Optional<Lease> decode(Fields object) throws MalformedObjectException {
        Fields annotations = object.metadata().child("annotations");
        Fields spec = object.spec();
        Lease.Builder lease = LeaseFields.readMetadata(object, annotations);
        LeaseFields.readElection(annotations, lease);
        LeaseFields.readSpec(spec, LeaseFields.TRANSITIONS, lease);
        lease.holderPod(LeaseFields.holderPodOf(annotations, spec.string("holderIdentity")));
        return Optional.of(lease.build());
    }

    @Override
    public JsonObject patch(Lease lease) {
        JsonObject annotations = LeaseFields.annotations(lease);
        LeaseFields.putElection(lease, annotations);
        JsonObject patch = new JsonObject();
        patch.add("metadata", LeaseFields.metadata(lease, annotations));
        patch.add("spec", LeaseFields.spec(lease));
        return patch;
    }
}
