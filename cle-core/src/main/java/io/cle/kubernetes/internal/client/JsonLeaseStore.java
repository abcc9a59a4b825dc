package io.cle.kubernetes.internal.client;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.codec.LeaseCodec;
import io.cle.kubernetes.internal.codec.WireNames;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.store.internal.LeaseStore;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.Watcher;
import org.jspecify.annotations.Nullable;

/** Leases by a codec over a transport. */
class JsonLeaseStore implements LeaseStore {

    final ObjectClient client;
    final LeaseCodec codec;
    private final @Nullable String application;

    /**
     * A store.
     *
     * @param application the label of leases that have none; {@code null} for none
     */
    JsonLeaseStore(ObjectClient client, LeaseCodec codec, @Nullable String application) {
        this.client = client;
        this.codec = codec;
        this.application = application;
    }

    @Override
    public CompletionStage<ApiResult<Optional<Lease>>> read(ObjectKey key) {
        return client.read(codec, key);
    }

    @Override
    public CompletionStage<ApiResult<Lease>> create(Lease lease) {
        return client.create(codec, lease.key(), () -> {
            JsonObject object = codec.patch(labelled(lease));
            object.getAsJsonObject("metadata")
                    .getAsJsonObject("labels")
                    .addProperty(WireNames.MANAGED_BY, WireNames.PROJECT);
            return object;
        });
    }

    @Override
    public CompletionStage<ApiResult<Lease>> write(Lease lease) {
        String version = Objects.requireNonNull(lease.resourceVersion(), "a lease to write must have been read");
        return client.patch(codec, lease.key(), () -> codec.patch(labelled(lease)), version);
    }

    /** A coordinator that creates a Lease doesn't know its application, so that the holder adds the label when it begins its term. */
    private Lease labelled(Lease lease) {
        return application == null || lease.application() != null
                ? lease
                : lease.toBuilder().application(application).build();
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
