package io.cle.kubernetes.internal.store;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.cle.kubernetes.internal.codec.LeaseCodec;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.store.internal.LeaseStore;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.Watcher;

/** Leases by a codec over a transport. */
class JsonLeaseStore implements LeaseStore {

    final ObjectClient client;
    final LeaseCodec codec;

    JsonLeaseStore(ObjectClient client, LeaseCodec codec) {
        this.client = client;
        this.codec = codec;
    }

    @Override
    public CompletionStage<ApiResult<Optional<Lease>>> read(ObjectKey key) {
        return client.read(codec, key);
    }

    @Override
    public CompletionStage<ApiResult<Lease>> create(Lease lease) {
        return client.create(codec, lease.key(), () -> codec.patch(lease));
    }

    @Override
    public CompletionStage<ApiResult<Lease>> write(Lease lease) {
        String version = Objects.requireNonNull(lease.resourceVersion(), "a lease to write must have been read");
        return client.patch(codec, lease.key(), () -> codec.patch(lease), version);
    }

    @Override
    public Optional<String> endingLine(Lease lease) {
        return codec.endingLine(lease);
    }

    @Override
    public Subscription watch(ObjectKey key, Watcher<Lease> watcher) {
        return client.watch(codec, key, watcher);
    }
}
