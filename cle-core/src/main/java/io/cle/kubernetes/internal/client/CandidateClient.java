package io.cle.kubernetes.internal.client;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.cle.ApiFormat;
import io.cle.kubernetes.internal.codec.CandidateJson;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.store.internal.LeaseApi;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.Watcher;

/**
 * Reads, writes and watches candidates in one wire format. Results and events arrive on the client's event loop. Thread-safe; no method
 * blocks.
 */
public final class CandidateClient {

    private final ObjectClient client;
    private final CandidateJson codec;

    /**
     * Creates a client for one kind of candidates.
     *
     * @param client sends the requests
     */
    public CandidateClient(ObjectClient client, ResourceType kind) {
        this.client = client;
        this.codec = CandidateJson.of(kind);
    }

    /** Creates a client for one wire format; for the native format, in version {@code v1beta1}. */
    public CandidateClient(ObjectClient client, ApiFormat format) {
        this(client, ResourceType.candidates(format));
    }

    /** Reads a candidate from the API server, not from a cache; empty if it doesn't exist. */
    public CompletionStage<ApiResult<Optional<Candidate>>> read(ObjectKey key) {
        return client.read(codec, key);
    }

    /** Lists the candidates for a lease in the lease's namespace; malformed ones are skipped. */
    public CompletionStage<ApiResult<List<Candidate>>> list(ObjectKey lease) {
        return client.list(codec, lease.namespace(), candidate -> candidate.canLead(lease));
    }

    /** Lists the candidates for shards of a lease from the API server, not from a cache; malformed ones are skipped. */
    public CompletionStage<ApiResult<List<Candidate>>> forShardsOf(ObjectKey lease) {
        return client.list(codec, lease.namespace(), candidate -> {
            LeaseGroup group = candidate.group();
            return group != null && group.isSharded() && group.key().equals(lease);
        });
    }

    /** Creates a candidate; {@link ApiResult.Conflict} if one of that name exists. */
    public CompletionStage<ApiResult<Candidate>> create(Candidate candidate) {
        return client.create(codec, candidate.key(), () -> codec.renewal(candidate));
    }

    /**
     * Writes a candidate's own fields (versions, strategy, priority, validity, renew time, owner) and removes a ping, which acknowledges it
     * (safety.md#acknowledgement). Not a compare and swap, because only the candidate itself writes these fields. {@link ApiResult.Gone} if
     * it doesn't exist.
     */
    public CompletionStage<ApiResult<Candidate>> renew(Candidate candidate) {
        return client.patch(codec, candidate.key(), () -> codec.renewal(candidate), null);
    }

    /** Pings a candidate, which asks it to acknowledge (safety.md#acknowledgement). */
    public CompletionStage<ApiResult<Candidate>> ping(Candidate candidate, Instant time) {
        return client.patch(codec, candidate.key(), () -> codec.ping(time), null);
    }

    /**
     * Deletes a candidate; succeeds, with an empty result, if it no longer exists.
     *
     * @param resourceVersion the only version to delete; empty to delete any version
     */
    public CompletionStage<ApiResult<Optional<Candidate>>> delete(ObjectKey key, Optional<String> resourceVersion) {
        return client.delete(codec, key, resourceVersion);
    }

    /** Watches one candidate; see {@link LeaseApi#watch}. */
    public Subscription watch(ObjectKey key, Watcher<Candidate> watcher) {
        return client.watch(codec, key, watcher);
    }
}
