package io.cle.lock.internal;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.loop.internal.EventLoop;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.store.internal.LeaseApi;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.WatchEvent;
import io.cle.store.internal.Watcher;
import org.jspecify.annotations.Nullable;

/**
 * The one lease of a process that joins no cluster's election ({@code cle.mode=standalone}): its lock is the same as in a cluster, and leads at
 * once, because there is no other candidate. Confined to the loop, as are its results.
 *
 * <p>Versions, and therefore fencing tokens, are microseconds of the wall clock, so they also grow across restarts unless the clock is set back.
 */
public final class ProcessLeases implements LeaseApi {

    private final EventLoop loop;
    private long lastVersion;
    private @Nullable Lease stored;
    private @Nullable Watcher<Lease> watcher;

    /** Creates a store without a lease. */
    public ProcessLeases(EventLoop loop) {
        this.loop = loop;
    }

    @Override
    public CompletionStage<ApiResult<Optional<Lease>>> read(ObjectKey key) {
        return answer(new ApiResult.Ok<>(Optional.ofNullable(stored)));
    }

    @Override
    public CompletionStage<ApiResult<Lease>> create(Lease lease) {
        return stored == null ? store(lease) : answer(new ApiResult.Conflict<>("it exists"));
    }

    @Override
    public CompletionStage<ApiResult<Lease>> write(Lease lease) {
        return stored != null && Objects.equals(stored.resourceVersion(), lease.resourceVersion())
                ? store(lease)
                : answer(new ApiResult.Conflict<>("it has changed"));
    }

    private CompletionStage<ApiResult<Lease>> store(Lease lease) {
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, loop.clock().wall());
        lastVersion = Math.max(lastVersion + 1, now);
        Lease changed =
                lease.toBuilder().resourceVersion(Long.toString(lastVersion)).build();
        stored = changed;
        CompletionStage<ApiResult<Lease>> answer = answer(new ApiResult.Ok<>(changed));
        loop.execute(() -> notify(new WatchEvent.Changed<>(changed)));
        return answer;
    }

    /** Answers after the caller's current step, like a real API server. */
    private <T> CompletionStage<T> answer(T result) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        loop.execute(() -> answer.complete(result));
        return answer;
    }

    private void notify(WatchEvent<Lease> event) {
        if (watcher != null) {
            watcher.onEvent(event);
        }
    }

    @Override
    public Subscription watch(ObjectKey key, Watcher<Lease> reader) {
        watcher = reader;
        loop.execute(
                () -> notify(new WatchEvent.Snapshot<>(stored == null ? List.of() : List.of(stored), versionOfList())));
        return () -> watcher = null;
    }

    private @Nullable String versionOfList() {
        return stored == null ? null : stored.resourceVersion();
    }
}
