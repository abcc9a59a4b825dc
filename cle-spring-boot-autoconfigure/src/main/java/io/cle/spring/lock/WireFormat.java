package io.cle.spring.lock;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

import io.cle.api.ApiFormat;
import io.cle.api.ApiResult;
import io.cle.api.Subscription;
import io.cle.kubernetes.FormatDiscovery;
import io.cle.kubernetes.FormatKeeper;
import io.cle.kubernetes.ServedFormats;
import io.cle.runtime.EventLoop;
import io.cle.spring.properties.ApiSelection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wire format that {@code cle.api} chooses: a pinned one at once, with {@code auto} the one that the API server serves, and
 * another one when that can't be used any more. An API server that is away is asked again whenever the format is needed, and by
 * nobody else meanwhile. Thread-safe.
 */
final class WireFormat {

    /** An API server that has gone is given so long before it is asked what it serves now. */
    private static final Duration FIRST_DOUBT = Duration.ofSeconds(1);

    private static final Duration WHEN_NOT_ANSWERED = Duration.ofSeconds(10);
    private static final Logger log = LoggerFactory.getLogger(WireFormat.class);

    private final ApiSelection selection;
    private final FormatDiscovery discovery;
    private final EventLoop loop;
    private final FormatKeeper keeper = new FormatKeeper();
    private final List<Consumer<ApiFormat>> followers = new CopyOnWriteArrayList<>();
    private @Nullable CompletableFuture<ApiResult<ApiFormat>> asked;
    private @Nullable ApiFormat chosen;
    private String reason = "the API server wasn't asked yet";
    private EventLoop.Timer nextQuestion = () -> {};
    private boolean doubted;
    private boolean pinTried;

    /**
     * Makes a choice that isn't made yet.
     *
     * @param loop where answers arrive, as the results of stores do
     */
    WireFormat(ApiSelection selection, FormatDiscovery discovery, EventLoop loop) {
        this.selection = selection;
        this.discovery = discovery;
        this.loop = loop;
    }

    /** The format; not {@link ApiResult.Ok} as long as the API server can't be asked. */
    CompletionStage<ApiResult<ApiFormat>> get() {
        return switch (selection) {
            case CRD -> pinned(ApiFormat.CRD);
            case NATIVE -> pinnedNative();
            case AUTO -> discovered();
        };
    }

    /** A request in the format; fails as finding it out has failed. */
    <T> CompletionStage<ApiResult<T>> then(Function<ApiFormat, CompletionStage<ApiResult<T>>> request) {
        return get().thenCompose(result -> {
            if (result instanceof ApiResult.Ok<ApiFormat> ok) {
                return request.apply(ok.value());
            }
            return CompletableFuture.completedFuture(result.map(format -> {
                throw new IllegalStateException("a request that failed has no value, not even " + format);
            }));
        });
    }

    /** The format, where it is known yet. */
    synchronized Optional<ApiFormat> known() {
        return Optional.ofNullable(chosen);
    }

    /** For a person: why it is this format, or why it isn't known. */
    synchronized String reason() {
        return reason;
    }

    /** Tells of every format that is gone over to from now on, on the loop. */
    Subscription follow(Consumer<ApiFormat> follower) {
        followers.add(follower);
        return () -> followers.remove(follower);
    }

    /** The API server has shown trouble: it is asked soon what it serves now. */
    synchronized void doubt() {
        if (selection == ApiSelection.AUTO && chosen != null && !doubted) {
            doubted = true;
            askIn(FIRST_DOUBT);
        }
    }

    private synchronized CompletionStage<ApiResult<ApiFormat>> pinned(ApiFormat format) {
        if (chosen == null) {
            chosen = format;
            reason = "cle.api is set";
        }
        return CompletableFuture.completedFuture(new ApiResult.Ok<>(format));
    }

    /** It is used in any case, as leases can be raced for in it; but where nobody can elect in it, that is said once. */
    private synchronized CompletionStage<ApiResult<ApiFormat>> pinnedNative() {
        if (!pinTried) {
            pinTried = true;
            discovery.ask().thenAccept(this::tellWhetherPinHolds);
        }
        return pinned(ApiFormat.NATIVE);
    }

    private void tellWhetherPinHolds(ApiResult<ServedFormats> result) {
        if (result instanceof ApiResult.Ok<ServedFormats> served) {
            explain("cle.api is set; " + served.value().reason());
            if (!served.value().formats().contains(ApiFormat.NATIVE)) {
                log.error(
                        "cle.api is native, but nobody can be elected in that format, and candidates will race for their"
                                + " leases (cle.fallback.delay): {}. Set cle.api to auto or crd",
                        served.value().reason());
            }
        } else {
            log.info("cle.api is native; whether the API server serves it is not known: {}", result.describe());
        }
    }

    private synchronized void explain(String why) {
        reason = why;
    }

    private synchronized CompletionStage<ApiResult<ApiFormat>> discovered() {
        if (chosen != null) {
            return CompletableFuture.completedFuture(new ApiResult.Ok<>(chosen));
        }
        CompletableFuture<ApiResult<ApiFormat>> latest = asked;
        if (latest == null || latest.isDone()) {
            latest = discovery
                    .ask()
                    .thenApplyAsync(result -> result.map(this::choose), loop)
                    .toCompletableFuture();
            asked = latest;
        }
        return latest;
    }

    /** Where neither is served the crd format is tried: leases can be raced for in it, and the CRD may yet be applied. */
    private synchronized ApiFormat choose(ServedFormats served) {
        ApiFormat format = served.preferred().orElse(ApiFormat.CRD);
        if (served.preferred().isPresent()) {
            log.info("the format of candidates is {}: {}", text(format), served.reason());
        } else {
            log.warn("no candidate can be announced: {}", served.reason());
        }
        chosen = format;
        reason = served.reason();
        keeper.heard(format, served, loop.clock().nanos());
        askIn(keeper.askAgainIn());
        return format;
    }

    // ---- while it is in use --------------------------------------------------------------------------------------

    private void askIn(Duration delay) {
        nextQuestion.cancel();
        nextQuestion = loop.schedule(delay, () -> discovery.ask().thenAcceptAsync(this::answered, loop));
    }

    private void answered(ApiResult<ServedFormats> result) {
        Optional<ApiFormat> next = result instanceof ApiResult.Ok<ServedFormats> ok ? judge(ok.value()) : notAnswered();
        next.ifPresent(format -> followers.forEach(follower -> follower.accept(format)));
    }

    private synchronized Optional<ApiFormat> notAnswered() {
        askIn(WHEN_NOT_ANSWERED);
        return Optional.empty();
    }

    private synchronized Optional<ApiFormat> judge(ServedFormats served) {
        ApiFormat using = chosen == null ? ApiFormat.CRD : chosen;
        Optional<ApiFormat> next = keeper.heard(using, served, loop.clock().nanos());
        doubted = !keeper.usable();
        String why = served.reason();
        if (next.isPresent()) {
            chosen = next.get();
            log.warn("the format of candidates changes from {} to {}: {}", text(using), text(chosen), why);
        } else if (!why.equals(reason) && !keeper.usable()) {
            log.warn("the format of candidates, {}, can't be used any more: {}", text(using), why);
        } else if (!why.equals(reason)) {
            String stays = served.preferred().equals(Optional.of(using)) ? "" : ", and stays so until the next start";
            log.info("the format of candidates is {}{}: {}", text(using), stays, why);
        }
        reason = why;
        askIn(keeper.askAgainIn());
        return next;
    }

    private static String text(ApiFormat format) {
        return format.name().toLowerCase(Locale.ROOT);
    }
}
