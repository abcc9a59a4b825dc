package io.cle.kubernetes.internal.store;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonObject;
import io.cle.api.LeaseStore;
import io.cle.api.Subscription;
import io.cle.api.Watcher;
import io.cle.kubernetes.internal.codec.ObjectCodec;
import io.cle.kubernetes.internal.codec.RecordLeaseCodec;
import io.cle.kubernetes.internal.codec.ServedObject;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.ApiResult;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;

/**
 * Leases as records in annotations of objects that may be there for another purpose: then creating the lease is a change of the
 * object, by compare and swap as well.
 */
public final class RecordLeaseStore implements LeaseStore {

    private final ObjectClient client;
    private final RecordLeaseCodec codec;

    public RecordLeaseStore(ObjectClient client, ResourceType resource) {
        this.client = client;
        this.codec = new RecordLeaseCodec(resource);
    }

    @Override
    public CompletionStage<ApiResult<Optional<Lease>>> read(ObjectKey key) {
        return client.read(codec, key);
    }

    @Override
    public CompletionStage<ApiResult<Lease>> create(Lease lease) {
        ObjectKey key = lease.key();
        JsonObject object = codec.created(key, codec.patch(lease));
        CompletionStage<ApiResult<Lease>> created = client.create(codec, key, object);
        return created.thenCompose(
                result -> result instanceof ApiResult.Conflict ? addTo(lease, result) : done(result));
    }

    @Override
    public CompletionStage<ApiResult<Lease>> write(Lease lease) {
        String version = Objects.requireNonNull(lease.resourceVersion(), "a lease to write must have been read");
        return client.patch(codec, lease.key(), codec.patch(lease), version);
    }

    @Override
    public Subscription watch(ObjectKey key, Watcher<Lease> watcher) {
        return client.watch(codec, key, watcher);
    }

    private CompletionStage<ApiResult<Lease>> addTo(Lease lease, ApiResult<Lease> conflict) {
        return client.read(new WithoutRecord(codec.resource()), lease.key()).thenCompose(result -> {
            if (result instanceof ApiResult.Ok<Optional<String>> ok
                    && ok.value().isPresent()) {
                return client.patch(
                        codec, lease.key(), codec.patch(lease), ok.value().get());
            }
            return done(conflict);
        });
    }

    private static <T> CompletionStage<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }

    /** The versions of objects that have no record. */
    private record WithoutRecord(ResourceType resource) implements ObjectCodec<String> {

        @Override
        public Optional<String> decode(ServedObject object) throws MalformedObjectException {
            String record = object.metadata().child("annotations").string(RecordLeaseCodec.RECORD);
            return record == null || record.isEmpty() ? Optional.ofNullable(object.version()) : Optional.empty();
        }
    }
}
