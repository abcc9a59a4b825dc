package io.cle.kubernetes.internal.discovery;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

import io.cle.api.ApiFormat;
import io.cle.api.Subscription;
import io.cle.model.ApiResult;
import io.cle.runtime.internal.loop.BackOff;
import io.cle.runtime.internal.loop.EventLoop;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wire format of a process: the one that was set, else one that the API server can be used with, and the other one when that changes.
 * {@link FormatKeeper} decides when to change; a format that was set is never left.
 *
 * <p>A candidate needs a format at once: where none can be used it takes the one that was set, else crd, because it can race for its lease
 * in either (safety.md#fallback-race). A coordinator waits instead: what it writes in the native format would be dropped without a word by
 * an API server whose feature gate is off. Where both formats can be used, a coordinator takes the native one unless there are candidates
 * in the crd format, because only a coordinator in that format elects among them.
 *
 * <p>Thread-safe. Stages complete, and followers are called, on the event loop, or at once on the caller's thread where the format is known.
 */
public final class FormatSelection {

    /** An API server that has gone is given so long before it is asked what it serves now. */
    private static final Duration FIRST_DOUBT = Duration.ofSeconds(1);

    private static final Duration CANDIDATE_INTERVAL = Duration.ofMinutes(30);
    private static final Duration COORDINATOR_INTERVAL = Duration.ofMinutes(5);
    private static final Logger log = LoggerFactory.getLogger(FormatSelection.class);

    private final FormatDiscovery discovery;
    private final @Nullable CrdCandidates crdCandidates;
    private final Optional<ApiFormat> pinned;
    private final EventLoop loop;
    private final RandomGenerator random;
    private final Duration interval;
    private final FormatKeeper keeper = new FormatKeeper();
    private final List<Consumer<ApiFormat>> followers = new CopyOnWriteArrayList<>();

    private volatile State state = new State(null, "the API server wasn't asked yet", false);
    // The rest is confined to the loop.
    private @Nullable CompletableFuture<ApiResult<ApiFormat>> attempt;
    private EventLoop.Timer nextQuestion = () -> {};
    private boolean asking;
    private boolean doubted;

    /** The reason that was logged last; the one by which the format was chosen counts as logged. */
    private String reported = "";

    /**
     * What is known.
     *
     * @param format the format; {@code null} while there is none
     * @param reason why it is this one, or why there is none yet, for a person
     * @param usable whether the API server can be used with it, by its last answer
     */
    private record State(@Nullable ApiFormat format, String reason, boolean usable) {}

    private FormatSelection(
            FormatDiscovery discovery,
            @Nullable CrdCandidates crdCandidates,
            Optional<ApiFormat> pinned,
            EventLoop loop,
            RandomGenerator random,
            Duration interval) {
        this.discovery = discovery;
        this.crdCandidates = crdCandidates;
        this.pinned = pinned;
        this.loop = loop;
        this.random = random;
        this.interval = interval;
    }

    /**
     * Creates the selection of a process with candidates, which has asked nothing yet.
     *
     * @param pinned the format that was set; empty to ask the API server
     * @param random for the jitter of repeated questions
     */
    public static FormatSelection ofCandidate(
            FormatDiscovery discovery, Optional<ApiFormat> pinned, EventLoop loop, RandomGenerator random) {
        return new FormatSelection(discovery, null, pinned, loop, random, CANDIDATE_INTERVAL);
    }

    /**
     * Creates the selection of a coordinator, which has asked nothing yet.
     *
     * @param pinned the format that was set; empty to ask the API server
     * @param random for the jitter of repeated questions
     */
    public static FormatSelection ofCoordinator(
            FormatDiscovery discovery,
            CrdCandidates crdCandidates,
            Optional<ApiFormat> pinned,
            EventLoop loop,
            RandomGenerator random) {
        return new FormatSelection(discovery, crdCandidates, pinned, loop, random, COORDINATOR_INTERVAL);
    }

    /**
     * Returns the format. If there is none yet, asks the API server once; callers meanwhile share the answer.
     *
     * @return {@link ApiResult.Ok}, or why there is no format; the stage never fails
     */
    public CompletionStage<ApiResult<ApiFormat>> get() {
        ApiFormat known = state.format();
        if (known != null) {
            return CompletableFuture.completedFuture(new ApiResult.Ok<>(known));
        }
        CompletableFuture<ApiResult<ApiFormat>> result = new CompletableFuture<>();
        loop.execute(() -> attempt().thenAccept(result::complete));
        return result;
    }

    /** Sends a request in the format; fails as {@link #get} does. */
    public <T> CompletionStage<ApiResult<T>> then(Function<ApiFormat, CompletionStage<ApiResult<T>>> request) {
        return get().thenCompose(result -> {
            if (result instanceof ApiResult.Ok<ApiFormat> ok) {
                return request.apply(ok.value());
            }
            return CompletableFuture.completedFuture(result.failure());
        });
    }

    /** Asks for the format until there is one, with back-off. The stage never fails. */
    public CompletionStage<ApiFormat> find() {
        CompletableFuture<ApiFormat> found = new CompletableFuture<>();
        find(found, 1);
        return found;
    }

    private void find(CompletableFuture<ApiFormat> found, int failures) {
        get().thenAccept(result -> {
            if (result instanceof ApiResult.Ok<ApiFormat> ok) {
                found.complete(ok.value());
            } else {
                loop.schedule(BackOff.OF_REQUESTS.after(failures, random), () -> find(found, failures + 1));
            }
        });
    }

    /** Returns the format; empty while there is none. */
    public Optional<ApiFormat> known() {
        return Optional.ofNullable(state.format());
    }

    /** Returns whether the API server can be used with the format, by its last answer; false while there is no format. */
    public boolean usable() {
        return state.usable();
    }

    /** Returns why it is this format, or why there is none yet, for a person. */
    public String reason() {
        return state.reason();
    }

    /** Calls the follower with every format that is changed to from now on. */
    public Subscription follow(Consumer<ApiFormat> follower) {
        followers.add(follower);
        return () -> followers.remove(follower);
    }

    /** Asks the API server soon what it serves now, because it has shown trouble. */
    public void doubt() {
        loop.execute(() -> {
            if (state.format() != null && !pinned.equals(Optional.of(ApiFormat.CRD)) && !doubted) {
                doubted = true;
                askIn(FIRST_DOUBT);
            }
        });
    }

    // ---- on the loop ---------------------------------------------------------------------------------------------

    private CompletionStage<ApiResult<ApiFormat>> attempt() {
        ApiFormat known = state.format();
        if (known != null) {
            return CompletableFuture.completedFuture(new ApiResult.Ok<>(known));
        }
        if (pinned.isPresent() && (pinned.get() == ApiFormat.CRD || crdCandidates == null)) {
            // Whether the API server serves the native one is known only once it has answered.
            begin(pinned.get(), "the " + text(pinned.get()) + " format is set", pinned.get() == ApiFormat.CRD);
            if (pinned.get() == ApiFormat.NATIVE) {
                ask();
            }
            return CompletableFuture.completedFuture(new ApiResult.Ok<>(pinned.get()));
        }
        CompletableFuture<ApiResult<ApiFormat>> latest = attempt;
        if (latest == null) {
            latest = new CompletableFuture<>();
            attempt = latest;
            ask();
        }
        return latest;
    }

    private void askIn(Duration delay) {
        nextQuestion.cancel();
        nextQuestion = loop.schedule(delay, this::ask);
    }

    private void ask() {
        if (asking) {
            return;
        }
        asking = true;
        // Nothing may be thrown past this: without an answer, asking would stay true, and the API server would
        // never be asked again.
        CompletableFuture.completedStage(discovery)
                .thenCompose(FormatDiscovery::ask)
                .thenCompose(this::conclusion)
                .exceptionally(e -> () -> answered(
                        new ApiResult.OutcomeUnknown<>("the API server can't be asked which formats it serves: "
                                + (e.getCause() == null ? e : e.getCause()))))
                .thenAccept(loop::deliver);
    }

    /** What the loop is to do about an answer. */
    private CompletionStage<Runnable> conclusion(ApiResult<ServedFormats> result) {
        if (result instanceof ApiResult.Ok<ServedFormats> ok
                && crdCandidates != null
                && pinned.isEmpty()
                && ok.value().formats().size() > 1
                && state.format() != ApiFormat.NATIVE) {
            return crdCandidates.any().thenApply(any -> () -> betweenBoth(ok.value(), any));
        }
        return CompletableFuture.completedStage(() -> answered(result));
    }

    private void betweenBoth(ServedFormats served, Optional<Boolean> crdCandidatesExist) {
        if (crdCandidatesExist.isEmpty()) {
            answered(new ApiResult.OutcomeUnknown<>("the candidates in the crd format can't be listed"));
        } else if (crdCandidatesExist.get()) {
            String why =
                    served.reason() + "; but there are candidates in the crd format, and only a coordinator in that"
                            + " format elects among them";
            answered(new ApiResult.Ok<>(new ServedFormats(Set.of(ApiFormat.CRD), why)));
        } else if (state.format() == ApiFormat.CRD) {
            asking = false;
            change(
                    ApiFormat.CRD,
                    ApiFormat.NATIVE,
                    served.reason() + "; there are no candidates in the crd format any more");
            askIn(interval);
        } else {
            answered(new ApiResult.Ok<>(served));
        }
    }

    private void answered(ApiResult<ServedFormats> result) {
        asking = false;
        ApiFormat using = state.format();
        if (using == null) {
            CompletableFuture<ApiResult<ApiFormat>> waiting = attempt;
            attempt = null;
            ApiResult<ApiFormat> first = result instanceof ApiResult.Ok<ServedFormats> ok
                    ? choose(ok.value())
                    : none(result.failure(), result.describe());
            if (waiting != null) {
                waiting.complete(first);
            }
        } else if (result instanceof ApiResult.Ok<ServedFormats> ok) {
            judge(using, ok.value());
        } else {
            askIn(FormatKeeper.WHILE);
        }
    }

    private ApiResult<ApiFormat> choose(ServedFormats served) {
        if (pinned.isPresent()) {
            return served.formats().contains(pinned.get())
                    ? begin(pinned.get(), because(served), true)
                    : notYet("the " + text(pinned.get()) + " format is set, but " + served.reason());
        }
        if (served.preferred().isPresent()) {
            log.info(
                    "the format of candidates is {}: {}",
                    text(served.preferred().get()),
                    served.reason());
            return begin(served.preferred().get(), served.reason(), true);
        }
        if (crdCandidates != null) {
            return notYet(served.reason());
        }
        log.warn("no candidate can be announced: {}", served.reason());
        keeper.heard(ApiFormat.CRD, served, loop.clock().nanos());
        return begin(ApiFormat.CRD, served.reason(), false);
    }

    private ApiResult<ApiFormat> begin(ApiFormat format, String why, boolean usable) {
        state = new State(format, why, usable);
        reported = why;
        if (!pinned.equals(Optional.of(ApiFormat.CRD))) {
            askIn(pause());
        }
        return new ApiResult.Ok<>(format);
    }

    /** The API server has answered: what keeps the selection waiting is what it serves, and no unknown outcome. */
    private ApiResult<ApiFormat> notYet(String reason) {
        return none(new ApiResult.OutcomeUnknown<>(reason), reason);
    }

    private ApiResult<ApiFormat> none(ApiResult<ApiFormat> why, String reason) {
        if (!reason.equals(state.reason())) {
            log.warn("no wire format can be used yet, and the API server is asked again: {}", reason);
        }
        state = new State(null, reason, false);
        return why;
    }

    private void judge(ApiFormat using, ServedFormats served) {
        Optional<ApiFormat> next = keeper.heard(using, served, loop.clock().nanos());
        String why = because(served);
        if (next.isPresent() && pinned.isEmpty()) {
            change(using, next.get(), why);
        } else {
            report(using, served, why);
            state = new State(using, why, served.formats().contains(using));
            doubted = !state.usable();
        }
        askIn(pause());
    }

    /**
     * A kube-apiserver that has just started answers some seconds before it serves CRDs, so one answer that a format isn't served isn't
     * reported yet.
     */
    private void report(ApiFormat using, ServedFormats served, String why) {
        boolean unusable = !served.formats().contains(using);
        if (why.equals(reported) || (unusable && state.usable())) {
            return;
        }
        reported = why;
        if (unusable) {
            log.warn(
                    "the {} format of candidates can't be used: {}; {}",
                    text(using),
                    why,
                    crdCandidates == null
                            ? "no coordinator elects in it, and candidates race for their leases after the fallback delay"
                            : "nothing can be coordinated");
        } else if (pinned.isEmpty()) {
            String stays = served.preferred().equals(Optional.of(using)) ? "" : ", and stays so until the next start";
            log.info("the format of candidates is {}{}: {}", text(using), stays, why);
        }
    }

    private void change(ApiFormat from, ApiFormat to, String why) {
        log.warn("the format of candidates changes from {} to {}: {}", text(from), text(to), why);
        doubted = false;
        state = new State(to, why, true);
        reported = why;
        followers.forEach(follower -> follower.accept(to));
    }

    private Duration pause() {
        return state.usable() ? interval : FormatKeeper.WHILE;
    }

    private String because(ServedFormats served) {
        return pinned.map(format -> "the " + text(format) + " format is set; ").orElse("") + served.reason();
    }

    private static String text(ApiFormat format) {
        return format.name().toLowerCase(Locale.ROOT);
    }
}
