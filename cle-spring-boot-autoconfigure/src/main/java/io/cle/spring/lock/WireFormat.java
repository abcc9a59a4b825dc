package io.cle.spring.lock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;

import io.cle.api.ApiFormat;
import io.cle.api.ApiResult;
import io.cle.kubernetes.FormatDiscovery;
import io.cle.kubernetes.ServedFormats;
import io.cle.spring.properties.ApiSelection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wire format that {@code cle.api} chooses: a pinned one at once, with {@code auto} the one that the API server serves. An API
 * server that is away is asked again whenever the format is needed, and by nobody else meanwhile. Thread-safe.
 */
final class WireFormat {

    private static final Logger log = LoggerFactory.getLogger(WireFormat.class);

    private final ApiSelection selection;
    private final FormatDiscovery discovery;
    private final Executor loop;
    private @Nullable CompletableFuture<ApiResult<ApiFormat>> asked;
    private boolean pinTried;

    /**
     * Makes a choice that isn't made yet.
     *
     * @param loop where the answer arrives, as the results of stores do
     */
    WireFormat(ApiSelection selection, FormatDiscovery discovery, Executor loop) {
        this.selection = selection;
        this.discovery = discovery;
        this.loop = loop;
    }

    /** The format; not {@link ApiResult.Ok} as long as the API server can't be asked. */
    CompletionStage<ApiResult<ApiFormat>> get() {
        return switch (selection) {
            case CRD -> known(ApiFormat.CRD);
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

    private static CompletionStage<ApiResult<ApiFormat>> known(ApiFormat format) {
        return CompletableFuture.completedFuture(new ApiResult.Ok<>(format));
    }

    /** It is used in any case, as leases can be raced for in it; but where nobody can elect in it, that is said once. */
    private synchronized CompletionStage<ApiResult<ApiFormat>> pinnedNative() {
        if (!pinTried) {
            pinTried = true;
            discovery.ask().thenAccept(WireFormat::tellWhetherPinHolds);
        }
        return known(ApiFormat.NATIVE);
    }

    private static void tellWhetherPinHolds(ApiResult<ServedFormats> result) {
        if (result instanceof ApiResult.Ok<ServedFormats> served
                && !served.value().formats().contains(ApiFormat.NATIVE)) {
            log.error(
                    "cle.api is native, but nobody can be elected in that format, and candidates will race for their leases"
                            + " (cle.fallback.delay): {}. Set cle.api to auto or crd",
                    served.value().reason());
        } else if (!(result instanceof ApiResult.Ok<ServedFormats>)) {
            log.info("cle.api is native; whether the API server serves it is not known: {}", result.describe());
        }
    }

    private synchronized CompletionStage<ApiResult<ApiFormat>> discovered() {
        CompletableFuture<ApiResult<ApiFormat>> latest = asked;
        if (latest == null || (latest.isDone() && !(latest.join() instanceof ApiResult.Ok<ApiFormat>))) {
            latest = discovery
                    .ask()
                    .thenApplyAsync(result -> result.map(WireFormat::choose), loop)
                    .toCompletableFuture();
            asked = latest;
        }
        return latest;
    }

    /** Where neither is served the crd format is tried: leases can be raced for in it, and the CRD may yet be applied. */
    private static ApiFormat choose(ServedFormats served) {
        ApiFormat format = served.preferred().orElse(ApiFormat.CRD);
        if (served.preferred().isPresent()) {
            log.info("the format of candidates is {}: {}", format, served.reason());
        } else {
            log.warn("no candidate can be announced: {}", served.reason());
        }
        return format;
    }
}
