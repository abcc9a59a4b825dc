package io.cle.kubernetes;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;

import io.cle.api.ApiResult;
import io.cle.api.LeaseStore;
import io.cle.api.Subscription;
import io.cle.api.Watcher;
import io.cle.model.Lease;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * client-go's multi-lock: two records that are held together, so that processes that know only the one and processes that know
 * only the other exclude each other while a fleet moves. Both are written by compare and swap, first the primary one.
 *
 * <p>The lease's resourceVersion is the higher one of the two: the versions of one API server come from one counter, so that it
 * only grows. Which pair it was is remembered here, the last one that was told of: whoever writes has to act on the last lease
 * that they were given, as for instance a watch that lags behind on one record gives two that have the same version.
 *
 * <p>While this process writes the two, its watches tell nothing: what is half written is no news to whoever writes it, and must not
 * pass for somebody else's.
 */
final class MultiLeaseStore implements LeaseStore {

    private static final int REMEMBERED = 256;

    /** What nobody holds can't expire; the wire format wants a duration all the same. */
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    /** Records have whole seconds. */
    private static final Duration STEP = Duration.ofSeconds(1);

    private final LeaseStore primary;
    private final LeaseStore secondary;
    private final Map<String, LeasePair> pairs = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, LeasePair> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** How many writes of a lease are under way. */
    private final Map<ObjectKey, Integer> writing = new ConcurrentHashMap<>();

    private final List<PairWatch> watches = new CopyOnWriteArrayList<>();

    MultiLeaseStore(LeaseStore primary, LeaseStore secondary) {
        this.primary = primary;
        this.secondary = secondary;
    }

    @Override
    public CompletionStage<ApiResult<Optional<Lease>>> read(ObjectKey key) {
        return primary.read(key).thenCompose(first -> then(first, one -> readSecond(key, one)));
    }

    @Override
    public CompletionStage<ApiResult<Lease>> create(Lease lease) {
        LeasePair neither = new LeasePair(null, null);
        return quietly(
                lease.key(),
                () -> primary.create(lease).thenCompose(first -> then(first, one -> writeSecond(lease, neither, one))));
    }

    @Override
    public CompletionStage<ApiResult<Lease>> write(Lease lease) {
        String version = Objects.requireNonNull(lease.resourceVersion(), "a lease to write must have been read");
        LeasePair pair = recall(lease.key(), version);
        if (pair == null) {
            return done(new ApiResult.Conflict<>("lease " + lease.key() + " was seen in version " + version
                    + " too long ago; it must be read again"));
        }
        Lease seen = pair.combined();
        boolean renewal = seen == null || !seen.sameRenewal(lease);
        if (!renewal && (pair.primary() == null || pair.secondary() == null)) {
            return quietly(lease.key(), () -> writeOnly(lease, pair));
        }
        Lease desired = renewal ? anotherTimeOnBoth(lease, pair) : lease;
        return quietly(
                lease.key(),
                () -> put(primary, desired, pair.primary())
                        .thenCompose(first -> then(first, one -> writeSecond(desired, pair, one))));
    }

    /**
     * The renewal with a time that stands on neither record. Whoever knows only the one sees it renewed by its being another time, and
     * the time that differs from the one record's may be the other's: where a renewal was half written, and the clock set back.
     */
    private static Lease anotherTimeOnBoth(Lease lease, LeasePair pair) {
        Lease next = lease;
        Instant time = lease.renewTime();
        while (time != null && (saysTheSame(pair.primary(), next) || saysTheSame(pair.secondary(), next))) {
            time = time.plus(STEP);
            next = next.toBuilder().renewTime(time).build();
        }
        return next;
    }

    private static boolean saysTheSame(@Nullable Lease written, Lease lease) {
        return written != null && written.sameRenewal(lease);
    }

    /** What is no renewal creates no record in the name of a holder who may know only the other one. */
    private CompletionStage<ApiResult<Lease>> writeOnly(Lease lease, LeasePair seen) {
        Lease first = seen.primary();
        CompletionStage<ApiResult<Lease>> written =
                first == null ? put(secondary, lease, seen.secondary()) : put(primary, lease, first);
        return written.thenApply(result -> result.map(stored -> Objects.requireNonNull(
                remember(first == null ? new LeasePair(null, stored) : new LeasePair(stored, null)))));
    }

    /** Writes while the watches of a lease tell nothing; they go on when the answer has been heard. */
    private CompletionStage<ApiResult<Lease>> quietly(
            ObjectKey key, Supplier<CompletionStage<ApiResult<Lease>>> write) {
        CompletableFuture<ApiResult<Lease>> heard = new CompletableFuture<>();
        writing.merge(key, 1, Integer::sum);
        write.get().whenComplete((result, failure) -> {
            writing.computeIfPresent(key, (unused, writes) -> writes == 1 ? null : writes - 1);
            if (failure == null) {
                heard.complete(result);
            } else {
                heard.completeExceptionally(failure);
            }
            LeasePair stored = result instanceof ApiResult.Ok<Lease> ok
                    ? recall(key, Objects.requireNonNull(ok.value().resourceVersion()))
                    : null;
            watches.forEach(watch -> watch.writeEnded(key, stored));
        });
        return heard;
    }

    @Override
    public Subscription watch(ObjectKey key, Watcher<Lease> watcher) {
        PairWatch watch = new PairWatch(key, this::remember, () -> writing.containsKey(key), watcher);
        watches.add(watch);
        Subscription first = primary.watch(key, watch::onPrimary);
        Subscription second = secondary.watch(key, watch::onSecondary);
        return () -> {
            watches.remove(watch);
            first.close();
            second.close();
        };
    }

    private CompletionStage<ApiResult<Optional<Lease>>> readSecond(ObjectKey key, Optional<Lease> one) {
        return secondary
                .read(key)
                .thenApply(second -> second.map(
                        other -> Optional.ofNullable(remember(new LeasePair(one.orElse(null), other.orElse(null))))));
    }

    private CompletionStage<ApiResult<Lease>> writeSecond(Lease lease, LeasePair seen, Lease one) {
        Lease before = seen.combined();
        return put(secondary, lease, seen.secondary()).thenCompose(second -> {
            boolean another = second instanceof ApiResult.Conflict || second instanceof ApiResult.Gone;
            if (another && changesHands(before, lease)) {
                return takeBack(seen.primary(), one, second);
            }
            return second instanceof ApiResult.Ok && beginsTerm(before, lease)
                    ? ifBothStand(one, second)
                    : done(written(one, second));
        });
    }

    private static boolean beginsTerm(@Nullable Lease before, Lease lease) {
        return lease.confirmed() && (before == null || !Objects.equals(before.term(), lease.term()));
    }

    /**
     * A term begins by both records. While the second one was written the first may have been deleted, and whoever knows only
     * that one may lead by another; what happens to it from now on has a higher version than the term that begins (lock's rules 1 and 7).
     */
    private CompletionStage<ApiResult<Lease>> ifBothStand(Lease one, ApiResult<Lease> second) {
        return primary.read(one.key()).thenApply(read -> {
            if (!(read instanceof ApiResult.Ok<Optional<Lease>> ok)) {
                return new ApiResult.OutcomeUnknown<>(
                        "both records of the lock are written; whether the first still stands isn't known: "
                                + read.describe());
            }
            return ok.value().filter(one::sameRenewal).isPresent()
                    ? written(one, second)
                    : new ApiResult.OutcomeUnknown<>(
                            "the first record of the lock has changed while the second was written");
        });
    }

    private static boolean changesHands(@Nullable Lease before, Lease lease) {
        return before == null || !Objects.equals(before.holder(), lease.holder());
    }

    /**
     * Somebody who knows only the second record has been quicker, or it was deleted, and whoever it named may lead on. The first one is as
     * it was again: whoever comes next would else wait for it to expire, although nobody leads by it; and take it for all there is.
     */
    private CompletionStage<ApiResult<Lease>> takeBack(@Nullable Lease before, Lease one, ApiResult<Lease> conflict) {
        Lease restored = before == null
                ? Lease.builder(one.key()).leaseDuration(SHORTEST).build()
                : before;
        return primary.write(restored.toBuilder()
                        .resourceVersion(one.resourceVersion())
                        .build())
                .thenApply(taken -> taken instanceof ApiResult.Ok || taken instanceof ApiResult.Conflict
                        ? conflict
                        : new ApiResult.OutcomeUnknown<>(
                                "the second record of the lock is somebody else's, and the first"
                                        + " couldn't be given back: " + taken.describe()));
    }

    private static CompletionStage<ApiResult<Lease>> put(LeaseStore store, Lease lease, @Nullable Lease seen) {
        return seen == null
                ? store.create(lease)
                : store.write(lease.toBuilder()
                        .resourceVersion(seen.resourceVersion())
                        .build());
    }

    /** The primary record is written by now, so that a failure of the second is no failure of the whole. */
    private ApiResult<Lease> written(Lease one, ApiResult<Lease> second) {
        if (second instanceof ApiResult.Ok<Lease> ok) {
            Lease combined = remember(new LeasePair(one, ok.value()));
            return combined == null ? second : new ApiResult.Ok<>(combined);
        }
        return new ApiResult.OutcomeUnknown<>(
                "the first record of the lock is written, the second isn't: " + second.describe());
    }

    private @Nullable Lease remember(LeasePair pair) {
        Lease combined = pair.combined();
        if (combined != null) {
            synchronized (pairs) {
                pairs.put(combined.key() + "@" + combined.resourceVersion(), pair);
            }
        }
        return combined;
    }

    private @Nullable LeasePair recall(ObjectKey key, String version) {
        synchronized (pairs) {
            return pairs.get(key + "@" + version);
        }
    }

    private static <T, R> CompletionStage<ApiResult<R>> then(
            ApiResult<T> result, Function<T, CompletionStage<ApiResult<R>>> next) {
        if (result instanceof ApiResult.Ok<T> ok) {
            return next.apply(ok.value());
        }
        return done(result.map(value -> {
            throw new IllegalStateException("a failed result has no value: " + value);
        }));
    }

    private static <T> CompletionStage<T> done(T value) {
        return CompletableFuture.completedFuture(value);
    }
}
