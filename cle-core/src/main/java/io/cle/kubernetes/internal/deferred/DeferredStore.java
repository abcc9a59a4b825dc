package io.cle.kubernetes.internal.deferred;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

import io.cle.api.ApiFormat;
import io.cle.api.Subscription;
import io.cle.api.WatchEvent;
import io.cle.api.Watcher;
import io.cle.kubernetes.internal.discovery.FormatSelection;
import io.cle.model.ApiResult;
import io.cle.runtime.internal.loop.BackOff;
import io.cle.runtime.internal.loop.EventLoop;
import org.jspecify.annotations.Nullable;

/**
 * What stores have in common that don't know their wire format yet: each request finds it out first, and fails as it would itself
 * when the API server is away. So a lock can be a candidate before it is known what the API server serves, and stays one when that
 * changes.
 *
 * @param <S> the kind of store
 */
abstract class DeferredStore<S> {

    private final FormatSelection format;
    private final Function<ApiFormat, S> stores;
    private final EventLoop loop;
    private final BackOff backOff;
    private final RandomGenerator random;

    /**
     * Made of what is needed to make the real one.
     *
     * @param loop the loop that the stores deliver on
     * @param retryPeriod how long a watch waits at most before the API server is asked again
     * @param random spreads the attempts of many processes
     */
    DeferredStore(
            FormatSelection format,
            Function<ApiFormat, S> stores,
            EventLoop loop,
            Duration retryPeriod,
            RandomGenerator random) {
        this.format = format;
        this.stores = stores;
        this.loop = loop;
        // As the lock itself does after a failed request.
        this.backOff = new BackOff(retryPeriod.dividedBy(8), retryPeriod);
        this.random = random;
    }

    /** A request to the real store. */
    final <T> CompletionStage<ApiResult<T>> request(Function<S, CompletionStage<ApiResult<T>>> request) {
        return format.then(known -> request.apply(stores.apply(known)));
    }

    /** A request whose success means nothing where the format was left before it came. */
    final <T> CompletionStage<ApiResult<T>> requestInFormat(Function<S, CompletionStage<ApiResult<T>>> request) {
        return format.then(known -> request.apply(stores.apply(known))
                .thenApply(result -> format.known().equals(Optional.of(known))
                        ? result
                        : new ApiResult.OutcomeUnknown<>("the format of candidates has changed meanwhile")));
    }

    /**
     * A watch of the real store, as soon as there is one, and of the other format's when that is gone over to.
     *
     * @param leave is done to the store of a format that is left
     */
    final <T> Subscription watching(
            Watcher<T> watcher, BiFunction<S, Watcher<T>, Subscription> watch, Consumer<S> leave) {
        Watch<T> deferred = new Watch<>(watcher, watch, leave);
        deferred.begin();
        return deferred;
    }

    private final class Watch<T> implements Subscription {
        private final Watcher<T> watcher;
        private final BiFunction<S, Watcher<T>, Subscription> watch;
        private final Consumer<S> leave;
        private final Subscription changes;
        private @Nullable Subscription real;
        private @Nullable S store;
        private boolean closed;
        private int failures;

        Watch(Watcher<T> watcher, BiFunction<S, Watcher<T>, Subscription> watch, Consumer<S> leave) {
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
            real = watch.apply(store, this::tell);
        }

        /** A watch that breaks is the first to show that the API server isn't what it was. */
        private void tell(WatchEvent<T> event) {
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
