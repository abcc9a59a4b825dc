package io.cle.kubernetes.internal.deferred;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.random.RandomGenerator;

import io.cle.api.ApiFormat;
import io.cle.api.LeaseStore;
import io.cle.api.Subscription;
import io.cle.api.Watcher;
import io.cle.kubernetes.internal.discovery.FormatSelection;
import io.cle.model.ApiResult;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import io.cle.runtime.internal.loop.EventLoop;

/** Leases in a wire format that is yet to be found out. */
public final class DeferredLeaseStore extends DeferredStore<LeaseStore> implements LeaseStore {

    /**
     * Makes a store that has sent nothing yet.
     *
     * @param stores makes the real store of a format
     * @param loop the loop that the stores deliver on
     * @param retryPeriod how long a watch waits at most before the API server is asked again
     * @param random spreads the attempts of many processes
     */
    public DeferredLeaseStore(
            FormatSelection format,
            Function<ApiFormat, LeaseStore> stores,
            EventLoop loop,
            Duration retryPeriod,
            RandomGenerator random) {
        super(format, stores, loop, retryPeriod, random);
    }

    @Override
    public CompletionStage<ApiResult<Optional<Lease>>> read(ObjectKey key) {
        return request(store -> store.read(key));
    }

    @Override
    public CompletionStage<ApiResult<Lease>> create(Lease lease) {
        return request(store -> store.create(lease));
    }

    @Override
    public CompletionStage<ApiResult<Lease>> write(Lease lease) {
        return request(store -> store.write(lease));
    }

    @Override
    public Subscription watch(ObjectKey key, Watcher<Lease> watcher) {
        return watching(watcher, (store, told) -> store.watch(key, told), left -> {});
    }
}
