package io.cle.coordinator.cluster;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.cle.api.ApiFormat;
import io.cle.api.ApiResult;
import io.cle.kubernetes.FormatDiscovery;
import io.cle.kubernetes.ServedFormats;
import io.cle.runtime.EventLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out in which wire format to coordinate: the one that was set, or what the API server can be used with. The native format that
 * was set is waited for: without the feature gate, what a coordinator writes would be dropped without a word. Thread-safe.
 */
public final class FormatSelection {

    private static final Logger log = LoggerFactory.getLogger(FormatSelection.class);

    private final FormatDiscovery discovery;
    private final Optional<ApiFormat> pinned;
    private final Retry retry;
    private final CompletableFuture<ApiFormat> selected = new CompletableFuture<>();
    private volatile String reason = "the API server wasn't asked yet";

    /**
     * A selection.
     *
     * @param pinned the format that was set; empty to ask the API server
     */
    public FormatSelection(FormatDiscovery discovery, Optional<ApiFormat> pinned, EventLoop loop) {
        this.discovery = discovery;
        this.pinned = pinned;
        this.retry = new Retry(loop, this::ask);
    }

    /**
     * Finds it out, however long it takes.
     *
     * @return completes with the format; doesn't fail
     */
    public CompletionStage<ApiFormat> find() {
        if (pinned.equals(Optional.of(ApiFormat.CRD))) {
            select(ApiFormat.CRD, "cle.coordinator.api is set");
        } else {
            ask();
        }
        return selected;
    }

    /** The format; empty while it isn't known. */
    public Optional<ApiFormat> selected() {
        return Optional.ofNullable(selected.getNow(null));
    }

    /** For a person: why it is this format, or why it isn't known yet. */
    public String reason() {
        return reason;
    }

    private void ask() {
        discovery.ask().thenAccept(this::answered);
    }

    private void answered(ApiResult<ServedFormats> result) {
        if (!(result instanceof ApiResult.Ok<ServedFormats> ok)) {
            unknown("the API server can't be asked for its formats: " + result.describe());
            return;
        }
        ServedFormats served = ok.value();
        if (pinned.isPresent()) {
            if (served.formats().contains(pinned.get())) {
                select(pinned.get(), "cle.coordinator.api is set, and " + served.reason());
            } else {
                unknown("cle.coordinator.api is native, but " + served.reason()
                        + "; or set cle.coordinator.api to auto");
            }
            return;
        }
        served.preferred().ifPresentOrElse(format -> select(format, served.reason()), () -> unknown(served.reason()));
    }

    private void unknown(String why) {
        if (!why.equals(reason)) {
            log.warn("Nothing can be coordinated yet, and it is tried again and again: {}", why);
        }
        reason = why;
        retry.later();
    }

    private void select(ApiFormat format, String why) {
        reason = why;
        selected.complete(format);
    }
}
