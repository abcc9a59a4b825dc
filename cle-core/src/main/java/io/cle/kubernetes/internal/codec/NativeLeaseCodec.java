package io.cle.kubernetes.internal.codec;

import java.util.Objects;
import java.util.Optional;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.internal.Lease;

/**
 * Leases of the native format: strategy and preferred holder are fields, from which the end of a term is derived. An administrator's
 * strategy is in the crd format's annotation, because kube-apiserver overwrites the field.
 *
 * <p>A Lease without a holder is written with an empty identity: kube-apiserver's own controller (observed in 1.36) crashes its process on
 * a lease without an identity.
 */
public final class NativeLeaseCodec implements LeaseCodec {

    /** The elector of a lease that has a strategy and names no other elector. Derived, never written. */
    static final String KUBE_APISERVER = "kube-apiserver";

    @Override
    public ResourceType resource() {
        return ResourceType.LEASES;
    }

    @Override
    public Optional<Lease> decode(Fields object) throws MalformedObjectException {
        Fields annotations = object.metadata().child("annotations");
        Fields spec = object.spec();
        Lease.Builder lease = LeaseFields.readMetadata(object, annotations);
        LeaseFields.readSpec(spec, LeaseFields.TRANSITIONS, lease);
        lease.holderPod(LeaseFields.holderPodOf(annotations, spec.string("holderIdentity")));
        String strategy = NativeStrategies.decode(spec.string("strategy"));
        String administrators = annotations.string(WireNames.STRATEGY);
        boolean ofCoordinator =
                administrators != null && administrators.equals(annotations.string(WireNames.RECORDED_STRATEGY));
        if (administrators == null || ofCoordinator) {
            // A coordinator in the crd format records the strategy used, and itself as the elector, in annotations. The
            // field contains the
            // candidates' request, which kube-apiserver writes over any earlier value.
            lease.strategy(strategy).recordedStrategy(strategy);
        } else {
            lease.strategy(administrators).recordedStrategy(null);
        }
        if (strategy != null && annotations.string(WireNames.ELECTED_BY) == null) {
            lease.electedBy(KUBE_APISERVER);
        }
        String preferred = Objects.requireNonNullElse(spec.string("preferredHolder"), "");
        if (preferred.isEmpty() ? marked(annotations) : !preferred.equals(spec.string("holderIdentity"))) {
            lease.endOfTerm(preferred.isEmpty() ? null : preferred, annotations.string(WireNames.PREFERRED_KEY));
        }
        return Optional.of(lease.build());
    }

    /** Returns whether the end of term is marked without a preferred holder, which the fields can't express. */
    private static boolean marked(Fields annotations) throws MalformedObjectException {
        return "true".equals(annotations.string(WireNames.END_OF_TERM));
    }

    @Override
    public JsonObject patch(Lease lease) {
        if (lease.preferredHolder() != null && lease.strategy() == null) {
            throw new IllegalArgumentException(
                    "a preferred holder (" + lease.preferredHolder() + ") requires a strategy in the native format");
        }
        JsonObject annotations = LeaseFields.annotations(lease);
        if (KUBE_APISERVER.equals(lease.electedBy())) {
            annotations.add(WireNames.ELECTED_BY, JsonNull.INSTANCE);
        }
        boolean inFields = lease.preferredHolder() != null;
        annotations.remove(WireNames.RECORDED_STRATEGY);
        annotations.addProperty(WireNames.END_OF_TERM, lease.endOfTerm() && !inFields ? "true" : null);
        JsonObject spec = LeaseFields.spec(lease);
        spec.addProperty("strategy", NativeStrategies.encode(lease.strategy()));
        spec.addProperty("preferredHolder", lease.preferredHolder());
        JsonObject patch = new JsonObject();
        patch.add("metadata", LeaseFields.metadata(lease, annotations));
        patch.add("spec", spec);
        return patch;
    }
}
