package io.cle.coordinator.cluster;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import io.cle.api.ApiFormat;
import io.cle.api.ApiResult;
import io.cle.kubernetes.FormatDiscovery;
import io.cle.kubernetes.FormatKeeper;
import io.cle.kubernetes.ServedFormats;
import io.cle.runtime.EventLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out in which wire format to coordinate, and goes on asking: the one that was set, or what the API server can be used with. Where
 * that is both, it is the native one, unless somebody stands in the crd format; then it is that one until nobody does any more. The native format that was set is waited for: without the feature gate, what a coordinator writes would be dropped
 * without a word. Thread-safe.
 */
public final class FormatSelection {

    /** How often to ask what is served where nothing is wrong. */
    private static final Duration OFTEN_ENOUGH = Duration.ofMinutes(5);

    /** An API server that has gone is given so long before it is asked what it serves now. */
    private static final Duration FIRST_DOUBT = Duration.ofSeconds(1);

    private static final Duration WHEN_IN_DOUBT = Duration.ofSeconds(10);
    private static final Logger log = LoggerFactory.getLogger(FormatSelection.class);

    private final FormatDiscovery discovery;
    private final CrdCandidates crdCandidates;
    private final Optional<ApiFormat> pinned;
    private final EventLoop loop;
    private final Retry retry;
    private final FormatKeeper keeper = new FormatKeeper();
    private final CompletableFuture<ApiFormat> first = new CompletableFuture<>();
    private final List<Consumer<ApiFormat>> followers = new CopyOnWriteArrayList<>();
    private volatile @Nullable ApiFormat format;
    private volatile String reason = "the API server wasn't asked yet";
    private volatile boolean usable;
    private EventLoop.Timer nextQuestion = () -> {};
    private boolean doubted;

    /**
     * A selection.
     *
     * @param pinned the format that was set; empty to ask the API server
     */
    public FormatSelection(
            FormatDiscovery discovery, CrdCandidates crdCandidates, Optional<ApiFormat> pinned, EventLoop loop) {
        this.discovery = discovery;
        this.crdCandidates = crdCandidates;
        this.pinned = pinned;
        this.loop = loop;
        this.retry = new Retry(loop, this::ask);
    }

    /**
     * Finds it out, however long it takes.
     *
     * @return completes with the first format there is; doesn't fail
     */
    public CompletionStage<ApiFormat> find() {
        if (pinned.equals(Optional.of(ApiFormat.CRD))) {
            begin(ApiFormat.CRD, "cle.coordinator.api is set");
        } else {
            ask();
        }
        return first;
    }

    /** Tells of every format that is gone over to after the first one, on the event loop. */
    public void follow(Consumer<ApiFormat> follower) {
        followers.add(follower);
    }

    /** The format; empty while it isn't known. */
    public Optional<ApiFormat> selected() {
        return Optional.ofNullable(format);
    }

    /** Whether the API server can be used with the format, by its last answer. */
    public boolean usable() {
        return usable;
    }

    /** For a person: why it is this format, or why it isn't known yet. */
    public String reason() {
        return reason;
    }

    /** The API server has shown trouble: it is asked soon what it serves now. */
    public void doubt() {
        loop.execute(() -> {
            if (format != null && !pinned.equals(Optional.of(ApiFormat.CRD)) && !doubted) {
                doubted = true;
                askIn(FIRST_DOUBT);
            }
        });
    }

    private void askIn(Duration delay) {
        nextQuestion.cancel();
        nextQuestion = loop.schedule(delay, this::ask);
    }

    private void ask() {
        discovery.ask().thenAccept(this::answered);
    }

    private void answered(ApiResult<ServedFormats> result) {
        if (!(result instanceof ApiResult.Ok<ServedFormats> ok)) {
            String why = "the API server can't be asked for its formats: " + result.describe();
            loop.execute(() -> notAnswered(why));
            return;
        }
        ServedFormats served = ok.value();
        boolean both = pinned.isEmpty() && served.formats().size() > 1;
        if (both && format != ApiFormat.NATIVE) {
            crdCandidates.any().thenAccept(any -> loop.execute(() -> betweenBoth(served, any)));
        } else {
            loop.execute(() -> answered(served));
        }
    }

    private void answered(ServedFormats served) {
        ApiFormat using = format;
        if (using == null) {
            select(served);
        } else {
            judge(using, served);
        }
    }

    /** Whoever stands in the crd format has nobody else to elect among them; candidates in the native one have kube-apiserver. */
    private void betweenBoth(ServedFormats served, Optional<Boolean> anyInCrd) {
        if (anyInCrd.isEmpty()) {
            notAnswered("the API server can't be asked for the candidates in the crd format");
        } else if (anyInCrd.get()) {
            answered(new ServedFormats(
                    Set.of(ApiFormat.CRD),
                    served.reason()
                            + "; but there are candidates in the crd format, and nobody else elects among them"));
        } else if (format == ApiFormat.CRD) {
            reason = served.reason() + "; there are no candidates in the crd format any more";
            goOver(ApiFormat.CRD, ApiFormat.NATIVE, reason);
            askIn(OFTEN_ENOUGH);
        } else {
            answered(served);
        }
    }

    private void notAnswered(String why) {
        if (format == null) {
            unknown(why);
        } else {
            askIn(WHEN_IN_DOUBT);
        }
    }

    private void select(ServedFormats served) {
        if (pinned.isPresent() && !served.formats().contains(pinned.get())) {
            unknown("cle.coordinator.api is native, but " + served.reason() + "; or set cle.coordinator.api to auto");
        } else if (pinned.isPresent()) {
            begin(pinned.get(), "cle.coordinator.api is set, and " + served.reason());
            askIn(OFTEN_ENOUGH);
        } else if (served.preferred().isPresent()) {
            begin(served.preferred().get(), served.reason());
            askIn(OFTEN_ENOUGH);
        } else {
            unknown(served.reason());
        }
    }

    private void unknown(String why) {
        if (!why.equals(reason)) {
            log.warn("Nothing can be coordinated yet, and it is tried again and again: {}", why);
        }
        reason = why;
        retry.later();
    }

    private void begin(ApiFormat chosen, String why) {
        reason = why;
        usable = true;
        format = chosen;
        first.complete(chosen);
    }

    // ---- while it is in use --------------------------------------------------------------------------------------

    private void judge(ApiFormat using, ServedFormats served) {
        Optional<ApiFormat> next = keeper.heard(using, served, loop.clock().nanos());
        usable = keeper.usable();
        doubted = !usable;
        String why = (pinned.isPresent() ? "cle.coordinator.api is set, and " : "") + served.reason();
        if (next.isPresent() && pinned.isEmpty()) {
            goOver(using, next.get(), why);
        } else if (!usable && !why.equals(reason)) {
            log.warn("The {} format can't be used any more: {}", text(using), why);
        }
        reason = why;
        askIn(usable ? OFTEN_ENOUGH : WHEN_IN_DOUBT);
    }

    private void goOver(ApiFormat from, ApiFormat to, String why) {
        log.warn("Goes over from the {} format to the {} format: {}", text(from), text(to), why);
        usable = true;
        doubted = false;
        format = to;
        followers.forEach(follower -> follower.accept(to));
    }

    private static String text(ApiFormat of) {
        return of.name().toLowerCase(Locale.ROOT);
    }
}
