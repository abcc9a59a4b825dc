package io.cle.kubernetes.internal.client;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

import com.google.gson.JsonObject;
import io.cle.ApiFormat;
import io.cle.ResourceLock;
import io.cle.kubernetes.internal.codec.JsonCodec;
import io.cle.kubernetes.internal.codec.LeaseJson;
import io.cle.kubernetes.internal.codec.RecordJson;
import io.cle.kubernetes.internal.codec.WireNames;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.store.internal.LeaseApi;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * Leases on the API server, in one wire format. Thread-safe; no method blocks.
 *
 * <p>The object of a record may also exist for another purpose. In that case the lease is created by changing the object, also as a compare
 * and swap, and the object gets no label and is never deleted.
 */
public final class LeaseClient implements LeaseApi {

    final ObjectClient client;
    final LeaseJson codec;
    private final @Nullable String application;

    private LeaseClient(ObjectClient client, LeaseJson codec, @Nullable String application) {
        this.client = client;
        this.codec = codec;
        this.application = application;
    }

    /**
     * Returns the client for coordinated leases.
     *
     * @param application the application's name, added as a label to Leases that lack it; {@code null} for no label
     */
    public static LeaseClient of(ObjectClient client, ApiFormat format, @Nullable String application) {
        LeaseJson codec = format == ApiFormat.NATIVE ? LeaseJson.NATIVE : LeaseJson.CRD;
        return new LeaseClient(client, codec, application);
    }

    /**
     * Returns the client for leases that processes race for. Leases are written as in the crd format, so that holders of both kinds can
     * share them (safety.md#mixed-electors).
     *
     * @param application see {@link #of(ObjectClient, ApiFormat, String)}; objects other than Leases belong to others and get no label
     */
    public static LeaseClient of(ObjectClient client, ResourceLock lock, @Nullable String application) {
        return switch (lock) {
            case COORDINATEDLEASES, LEASES -> of(client, ApiFormat.CRD, application);
            case ENDPOINTS, CONFIGMAPS -> new LeaseClient(client, new RecordJson(ResourceType.of(lock)), null);
        };
    }

    @Override
    public CompletionStage<ApiResult<Optional<Lease>>> read(ObjectKey key) {
        return client.read(codec, key);
    }

    /**
     * Lists the leases of all families of a key from the API server, not from a cache (safety.md#one-owner-of-each-key): the Lease of that
     * name, and Leases with names of its shards, whatever their labels. A malformed Lease is returned as held, because its holder may lead.
     */
    public CompletionStage<ApiResult<List<Lease>>> ofKey(ObjectKey key) {
        Predicate<ObjectKey> ofKey = lease -> lease.equals(key)
                || LeaseGroup.ofShard(lease)
                        .filter(group -> group.key().equals(key))
                        .isPresent();
        return client.list(new MalformedAsHeld(codec), key.namespace(), lease -> ofKey.test(lease.key()));
    }

    /** Decodes a malformed Lease as held by an unknown holder. */
    private record MalformedAsHeld(LeaseJson codec) implements JsonCodec<Lease> {

        @Override
        public ResourceType resource() {
            return codec.resource();
        }

        @Override
        public Optional<Lease> decode(Fields object) throws MalformedObjectException {
            try {
                return codec.decode(object);
            } catch (MalformedObjectException e) {
                return Optional.of(Lease.builder(object.key())
                        .resourceVersion(object.resourceVersion())
                        .holder("(malformed)")
                        .electedBy("(malformed)")
                        .build());
            }
        }
    }

    @Override
    public CompletionStage<ApiResult<Lease>> create(Lease lease) {
        CompletionStage<ApiResult<Lease>> created = client.create(codec, lease.key(), () -> {
            JsonObject object = codec.patch(labelled(lease));
            object.getAsJsonObject("metadata")
                    .getAsJsonObject("labels")
                    .addProperty(WireNames.MANAGED_BY, WireNames.PROJECT);
            return object;
        });
        return codec instanceof RecordJson
                ? created.thenCompose(result -> result instanceof ApiResult.Conflict
                        ? addTo(lease, result)
                        : CompletableFuture.completedStage(result))
                : created;
    }

    private CompletionStage<ApiResult<Lease>> addTo(Lease lease, ApiResult<Lease> conflict) {
        return client.read(new WithoutRecord(codec.resource()), lease.key()).thenCompose(result -> {
            if (result instanceof ApiResult.Ok<Optional<String>> ok
                    && ok.value().isPresent()) {
                return client.patch(
                        codec, lease.key(), () -> codec.patch(lease), ok.value().get());
            }
            // A missing right to read doesn't mean that there is another holder.
            return CompletableFuture.completedStage(
                    result instanceof ApiResult.Refused<Optional<String>> refused ? refused.failure() : conflict);
        });
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

    @Override
    public CompletionStage<ApiResult<Lease>> write(Lease lease) {
        String version = Objects.requireNonNull(lease.resourceVersion(), "a lease to write must have been read");
        return client.patch(codec, lease.key(), () -> codec.patch(labelled(lease)), version);
    }

    /** Adds the application's label if it is missing: a coordinator that creates a Lease doesn't know its application. */
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
