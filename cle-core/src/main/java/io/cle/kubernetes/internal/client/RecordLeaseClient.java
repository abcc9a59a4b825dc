package io.cle.kubernetes.internal.client;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.kubernetes.internal.codec.JsonCodec;
import io.cle.kubernetes.internal.codec.RecordJson;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;

/**
 * Leases as records in annotations of objects, which may also exist for another purpose. In that case the lease is created by changing the
 * object, also as a compare and swap.
 */
final class RecordLeaseClient extends LeaseClient {

    RecordLeaseClient(ObjectClient client, RecordJson codec) {
        // No label, because an object that exists for another purpose belongs to others.
        super(client, codec, null);
    }

    @Override
    public CompletionStage<ApiResult<Lease>> create(Lease lease) {
        return super.create(lease)
                .thenCompose(result -> result instanceof ApiResult.Conflict ? addTo(lease, result) : done(result));
    }

    /** Never deletes the object, which may exist for another purpose. */
    @Override
    public CompletionStage<ApiResult<Boolean>> deleteFree(ObjectKey lease) {
        return done(new ApiResult.Ok<>(false));
    }

    private CompletionStage<ApiResult<Lease>> addTo(Lease lease, ApiResult<Lease> conflict) {
        return client.read(new WithoutRecord(codec.resource()), lease.key()).thenCompose(result -> {
            if (result instanceof ApiResult.Ok<Optional<String>> ok
                    && ok.value().isPresent()) {
                return client.patch(
                        codec, lease.key(), () -> codec.patch(lease), ok.value().get());
            }
            // A missing right to read doesn't mean that there is another holder.
            return done(result instanceof ApiResult.Refused<Optional<String>> refused ? refused.failure() : conflict);
        });
    }

    private static <T> CompletionStage<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }

    /** Decodes the versions of objects that have no record. */
    private record WithoutRecord(ResourceType resource) implements JsonCodec<String> {

        @Override
        public Optional<String> decode(Fields object) throws MalformedObjectException {
            String record = object.metadata().child("annotations").string(RecordJson.RECORD);
            return record == null || record.isEmpty()
                    ? Optional.ofNullable(object.resourceVersion())
                    : Optional.empty();
        }
    }
}
