package io.cle.election.internal.api;

import java.util.Map;
import java.util.Optional;

import io.cle.ApiFormat;
import io.cle.kubernetes.internal.codec.CandidateJson;
import io.cle.kubernetes.internal.codec.JsonCodec;
import io.cle.kubernetes.internal.codec.LeaseJson;
import io.cle.kubernetes.internal.codec.WireNames;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.kubernetes.internal.watch.WatchedKind;
import io.cle.model.Candidate;
import io.cle.model.internal.Lease;

/** The objects that a coordinator watches. */
final class CoordinatedKinds {

    private CoordinatedKinds() {}

    /**
     * Returns the leases that a coordinator handles. In the native format this includes every lease with a strategy, because kube-apiserver
     * creates the leases of our candidates without a label; but not those of nodes, each of which is renewed every few seconds.
     */
    static WatchedKind<Lease> leases(ApiFormat format) {
        return format == ApiFormat.NATIVE
                ? WatchedKind.all(
                        new CoordinatedOnly(), Map.of(WatchedKind.FIELDS, "metadata.namespace!=kube-node-lease"))
                : WatchedKind.labelled(LeaseJson.CRD, WireNames.MANAGED, "true");
    }

    /** Returns the candidates of a kind. */
    static WatchedKind<Candidate> candidates(ResourceType kind) {
        return WatchedKind.all(CandidateJson.of(kind), Map.of());
    }

    /** Returns the lease configurations, a kind that the API server may not serve. */
    static WatchedKind<LeaseConfiguration> configurations() {
        return WatchedKind.all(new LeaseConfigurationCodec(), Map.of()).asOptional();
    }

    /** Decodes only the native leases that a coordinator handles. */
    private record CoordinatedOnly() implements JsonCodec<Lease> {

        @Override
        public ResourceType resource() {
            return LeaseJson.NATIVE.resource();
        }

        @Override
        public Optional<Lease> decode(Fields object) throws MalformedObjectException {
            boolean managed = "true".equals(object.metadata().child("labels").string(WireNames.MANAGED));
            return managed || object.spec().string("strategy") != null
                    ? LeaseJson.NATIVE.decode(object)
                    : Optional.empty();
        }
    }
}
