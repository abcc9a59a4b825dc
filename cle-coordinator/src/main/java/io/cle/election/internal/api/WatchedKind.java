package io.cle.election.internal.api;

import java.util.Optional;

import io.cle.ApiFormat;
import io.cle.kubernetes.internal.codec.CandidateJson;
import io.cle.kubernetes.internal.codec.JsonCodec;
import io.cle.kubernetes.internal.codec.LeaseJson;
import io.cle.kubernetes.internal.codec.WireNames;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.kubernetes.internal.watch.WatchScope;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import org.jspecify.annotations.Nullable;

/**
 * One kind of object that coordinators watch: its codec, and the scope to list and watch. Immutable and thread-safe.
 *
 * @param codec decodes the objects
 * @param scope the objects to list and watch
 * @param <T> the kind of object in the model
 */
public record WatchedKind<T>(JsonCodec<T> codec, WatchScope scope) {

    /**
     * Returns the leases that a coordinator handles. In the native format this includes every lease with a strategy, because kube-apiserver
     * creates the leases of our candidates without a label.
     */
    public static WatchedKind<Lease> leases(ApiFormat format) {
        return format == ApiFormat.NATIVE
                ? new WatchedKind<>(new CoordinatedOnly(LeaseJson.NATIVE), WatchScope.leasesOfApplications())
                : new WatchedKind<>(LeaseJson.CRD, WatchScope.labelled(WireNames.MANAGED + "=true"));
    }

    /** Returns the candidates of a kind. */
    public static WatchedKind<Candidate> candidates(ResourceType kind) {
        return new WatchedKind<>(CandidateJson.of(kind), WatchScope.everything());
    }

    /** Returns the lease configurations, a kind that the API server may not serve. */
    public static WatchedKind<LeaseConfiguration> configurations() {
        return new WatchedKind<>(
                new LeaseConfigurationCodec(), WatchScope.everything().asOptional());
    }

    /**
     * Returns this kind with a limit on the size of objects. A larger object is treated as malformed, and nothing of it is kept
     * (safety.md#too-many-candidates).
     *
     * @param largest the maximum number of characters of an object
     */
    public WatchedKind<T> upTo(long largest) {
        return new WatchedKind<>(new UpTo<>(largest, codec), scope);
    }

    /** Limits the size of objects. */
    private record UpTo<T>(long largest, JsonCodec<T> codec) implements JsonCodec<T> {

        @Override
        public ResourceType resource() {
            return codec.resource();
        }

        @Override
        public @Nullable ObjectKey leaseNamedBy(Fields object) {
            return codec.leaseNamedBy(object);
        }

        /** Checks the size only of objects that are related to leader election. */
        @Override
        public Optional<T> decode(Fields object) throws MalformedObjectException {
            Optional<T> decoded = codec.decode(object);
            long size = decoded.isEmpty() ? 0 : object.size();
            if (size > largest) {
                throw new MalformedObjectException("it has " + size + " characters, with its annotations and managed"
                        + " fields, and may have " + largest);
            }
            return decoded;
        }
    }

    /** Decodes only the leases that a coordinator handles. */
    private record CoordinatedOnly(LeaseJson codec) implements JsonCodec<Lease> {

        @Override
        public ResourceType resource() {
            return codec.resource();
        }

        @Override
        public Optional<Lease> decode(Fields object) throws MalformedObjectException {
            boolean managed = "true".equals(object.metadata().child("labels").string(WireNames.MANAGED));
            return managed || object.spec().string("strategy") != null ? codec.decode(object) : Optional.empty();
        }
    }
}
