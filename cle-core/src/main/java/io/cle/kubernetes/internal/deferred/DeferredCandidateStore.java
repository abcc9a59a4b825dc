package io.cle.kubernetes.internal.deferred;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.random.RandomGenerator;

import io.cle.api.ApiFormat;
import io.cle.api.CandidateStore;
import io.cle.api.Subscription;
import io.cle.api.Watcher;
import io.cle.kubernetes.internal.discovery.FormatSelection;
import io.cle.model.ApiResult;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.runtime.internal.loop.EventLoop;

/** Candidates in a wire format that is yet to be found out. */
public final class DeferredCandidateStore extends DeferredStore<CandidateStore> implements CandidateStore {

    /**
     * Makes a store that has sent nothing yet.
     *
     * @param stores makes the real store of a format
     * @param loop the loop that the stores deliver on
     * @param retryPeriod how long a watch waits at most before the API server is asked again
     * @param random spreads the attempts of many processes
     */
    public DeferredCandidateStore(
            FormatSelection format,
            Function<ApiFormat, CandidateStore> stores,
            EventLoop loop,
            Duration retryPeriod,
            RandomGenerator random) {
        super(format, stores, loop, retryPeriod, random);
    }

    @Override
    public CompletionStage<ApiResult<Optional<Candidate>>> read(ObjectKey key) {
        return requestInFormat(store -> store.read(key));
    }

    @Override
    public CompletionStage<ApiResult<Candidate>> create(Candidate candidate) {
        return requestInFormat(store -> store.create(candidate));
    }

    @Override
    public CompletionStage<ApiResult<Candidate>> renew(Candidate candidate) {
        return requestInFormat(store -> store.renew(candidate));
    }

    @Override
    public CompletionStage<ApiResult<Candidate>> ping(Candidate candidate, Instant time) {
        return requestInFormat(store -> store.ping(candidate, time));
    }

    @Override
    public CompletionStage<ApiResult<Optional<Candidate>>> delete(ObjectKey key, Optional<String> resourceVersion) {
        return requestInFormat(store -> store.delete(key, resourceVersion));
    }

    /** {@inheritDoc} In a format that is left, the candidate is deleted, so that a coordinator of that format doesn't wait for it. */
    @Override
    public Subscription watch(ObjectKey key, Watcher<Candidate> watcher) {
        return watching(watcher, (store, told) -> store.watch(key, told), left -> left.delete(key, Optional.empty()));
    }
}
