package io.cle.kubernetes.internal.client;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.cle.kubernetes.internal.codec.CandidateCodec;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.store.internal.CandidateStore;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.Watcher;

/** Candidates by a codec over a transport. */
record JsonCandidateStore(ObjectClient client, CandidateCodec codec) implements CandidateStore {

    @Override
    public CompletionStage<ApiResult<Optional<Candidate>>> read(ObjectKey key) {
        return client.read(codec, key);
    }

    @Override
    public CompletionStage<ApiResult<List<Candidate>>> list(ObjectKey lease) {
        return client.list(
                codec, lease.namespace(), candidate -> candidate.lease().equals(lease));
    }

    @Override
    public CompletionStage<ApiResult<Candidate>> create(Candidate candidate) {
        return client.create(codec, candidate.key(), () -> codec.renewal(candidate));
    }

    @Override
    public CompletionStage<ApiResult<Candidate>> renew(Candidate candidate) {
        return client.patch(codec, candidate.key(), () -> codec.renewal(candidate), null);
    }

    @Override
    public CompletionStage<ApiResult<Candidate>> ping(Candidate candidate, Instant time) {
        return client.patch(codec, candidate.key(), () -> codec.ping(time), null);
    }

    @Override
    public CompletionStage<ApiResult<Optional<Candidate>>> delete(ObjectKey key, Optional<String> resourceVersion) {
        return client.delete(codec, key, resourceVersion);
    }

    @Override
    public Subscription watch(ObjectKey key, Watcher<Candidate> watcher) {
        return client.watch(codec, key, watcher);
    }
}
