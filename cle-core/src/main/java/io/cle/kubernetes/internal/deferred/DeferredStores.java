package io.cle.kubernetes.internal.deferred;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

import io.cle.api.ApiFormat;
import io.cle.api.CandidateStore;
import io.cle.api.LeaseStore;
import io.cle.api.Subscription;
import io.cle.api.WatchEvent;
import io.cle.api.Watcher;
import io.cle.kubernetes.internal.discovery.FormatSelection;
import io.cle.model.ApiResult;
import io.cle.model.Candidate;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import io.cle.runtime.internal.loop.BackOff;
import io.cle.runtime.internal.loop.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * Stores that don't know their wire format yet: each request finds it out first, and fails as it would itself when the API server is away.
 * So a lock can be a candidate before it is known what the API server serves, and stays one when that changes.
 */
public final class DeferredStores {

    private final FormatSelection format;
    private final EventLoop loop;
    private final BackOff backOff;
    private final RandomGenerator random;

    /**
     * Sends nothing yet.
     *
     * @param loop the loop that the stores deliver on
     * @param retryPeriod how long a watch waits at most before the API server is asked again
     * @param random spreads the attempts of many processes
     */
    public DeferredStores(FormatSelection format, EventLoop loop, Duration retryPeriod, RandomGenerator random) {
        this.format = format;
        this.loop = loop;
        // As the lock itself does after a failed request.
        this.backOff = new BackOff(retryPeriod.dividedBy(8), retryPeriod);
        this.random = random;
    }

    /**
     * Leases.
     *
     * @param stores makes the real store of a format
     */
    public LeaseStore leases(Function<ApiFormat, LeaseStore> stores) {
        return new Leases(stores);
    }

    /**
     * Candidates.
     *
     * @param stores makes the real store of a format
     */
    public CandidateStore candidates(Function<ApiFormat, CandidateStore> stores) {
        return new Candidates(stores);
    }

    private final class Leases implements LeaseStore {

        private final Function<ApiFormat, LeaseStore> stores;

        Leases(Function<ApiFormat, LeaseStore> stores) {
            this.stores = stores;
        }

        @Override
        public CompletionStage<ApiResult<Optional<Lease>>> read(ObjectKey key) {
            return format.then(known -> stores.apply(known).read(key));
        }

        @Override
        public CompletionStage<ApiResult<Lease>> create(Lease lease) {
            return format.then(known -> stores.apply(known).create(lease));
        }

        @Override
        public CompletionStage<ApiResult<Lease>> write(Lease lease) {
            return format.then(known -> stores.apply(known).write(lease));
        }

        /** The same in both formats. */
        @Override
        public Optional<String> endingLine(Lease lease) {
            return stores.apply(ApiFormat.CRD).endingLine(lease);
        }

        @Override
        public Subscription watch(ObjectKey key, Watcher<Lease> watcher) {
            return watching(new Watch<>(stores, watcher, (store, through) -> store.watch(key, through), left -> {}));
        }
    }

    private final class Candidates implements CandidateStore {

        private final Function<ApiFormat, CandidateStore> stores;

        Candidates(Function<ApiFormat, CandidateStore> stores) {
            this.stores = stores;
        }

        @Override
        public CompletionStage<ApiResult<Optional<Candidate>>> read(ObjectKey key) {
            return request(store -> store.read(key));
        }

        @Override
        public CompletionStage<ApiResult<List<Candidate>>> list(ObjectKey lease) {
            return request(store -> store.list(lease));
        }

        @Override
        public CompletionStage<ApiResult<Candidate>> create(Candidate candidate) {
            return request(store -> store.create(candidate));
        }

        @Override
        public CompletionStage<ApiResult<Candidate>> renew(Candidate candidate) {
            return request(store -> store.renew(candidate));
        }

        @Override
        public CompletionStage<ApiResult<Candidate>> ping(Candidate candidate, Instant time) {
            return request(store -> store.ping(candidate, time));
        }

        @Override
        public CompletionStage<ApiResult<Optional<Candidate>>> delete(ObjectKey key, Optional<String> resourceVersion) {
            return request(store -> store.delete(key, resourceVersion));
        }

        /** {@inheritDoc} In a format that is left, the candidate is deleted, so that a coordinator of that format doesn't wait for it. */
        @Override
        public Subscription watch(ObjectKey key, Watcher<Candidate> watcher) {
            return watching(new Watch<>(
                    stores,
                    watcher,
                    (store, through) -> store.watch(key, through),
                    left -> left.delete(key, Optional.empty())));
        }

        /** A request whose success doesn't count if the format has changed before its answer came. */
        private <T> CompletionStage<ApiResult<T>> request(
                Function<CandidateStore, CompletionStage<ApiResult<T>>> request) {
            return format.then(known -> request.apply(stores.apply(known))
                    .thenApply(result -> format.known().equals(Optional.of(known))
                            ? result
                            : new ApiResult.OutcomeUnknown<>("the format of candidates has changed meanwhile")));
        }
    }

    private static Subscription watching(Watch<?, ?> watch) {
        watch.begin();
        return watch;
    }

    /** A watch of the real store as soon as the format is known, and of the other format's store after each change of the format. */
    private final class Watch<S, T> implements Subscription {
        private final Function<ApiFormat, S> stores;
        private final Watcher<T> watcher;
        private final BiFunction<S, Watcher<T>, Subscription> watch;
        private final Consumer<S> leave;
        private final Subscription changes;
        private @Nullable Subscription real;
        private @Nullable S store;
        private boolean closed;
        private int failures;

        /**
         * Begins nothing yet.
         *
         * @param leave is called with the store of the format that was in use before a change
         */
        Watch(
                Function<ApiFormat, S> stores,
                Watcher<T> watcher,
                BiFunction<S, Watcher<T>, Subscription> watch,
                Consumer<S> leave) {
            this.stores = stores;
            this.watcher = watcher;
            this.watch = watch;
            this.leave = leave;
            this.changes = format.follow(this::open);
        }

        void begin() {
            format.get().thenAccept(this::onFormat);
        }

        private synchronized void onFormat(ApiResult<ApiFormat> result) {
            if (closed) {
                return;
            }
            if (result instanceof ApiResult.Ok<ApiFormat> ok) {
                open(ok.value());
            } else {
                Duration delay = backOff.after(++failures, random);
                watcher.onEvent(new WatchEvent.Interrupted<>(result.describe(), delay));
                loop.schedule(delay, this::begin);
            }
        }

        private synchronized void open(ApiFormat known) {
            if (closed) {
                return;
            }
            if (real != null) {
                real.close();
            }
            if (store != null) {
                leave.accept(store);
            }
            store = stores.apply(known);
            real = watch.apply(store, this::deliver);
        }

        /** A watch that breaks is the first to show that the API server isn't what it was. */
        private void deliver(WatchEvent<T> event) {
            if (event instanceof WatchEvent.Interrupted<T>) {
                format.doubt();
            }
            watcher.onEvent(event);
        }

        @Override
        public synchronized void close() {
            closed = true;
            changes.close();
            if (real != null) {
                real.close();
            }
        }
    }
}
