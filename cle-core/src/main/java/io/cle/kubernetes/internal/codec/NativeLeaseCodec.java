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
 * Leases of the native format: strategy and preferred holder stand in fields, and the end of a term follows from them. An
 * administrator's strategy is in the crd format's annotation, because kube-apiserver overwrites the field.
 *
 * <p>A Lease without a holder is written with an empty identity: kube-apiserver's own controller (seen in 1.36) brings its
 * process down on a lease whose identity is absent.
 */
public final class NativeLeaseCodec implements LeaseCodec {

    /** Who elected a lease that has a strategy and doesn't say who else it was. Only ever derived, never written. */
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
            // A coordinator in the crd format writes what it used into the annotation, and that it was it.
            // The field holds the candidates' own wish: kube-apiserver writes it there, over whatever stood
            // there.
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

    /** An end of term without a preferred holder, which the fields can't express. */
    private static boolean marked(Fields annotations) throws MalformedObjectException {
        return "true".equals(annotations.string(WireNames.END_OF_TERM));
    }

    @Override
    public JsonObject patch(Lease lease) {
        if (lease.preferredHolder() != null && lease.strategy() == null) {
            throw new IllegalArgumentException("a preferred holder (" + lease.preferredHolder()
                    + ") needs a strategy beside it in the native format");
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
