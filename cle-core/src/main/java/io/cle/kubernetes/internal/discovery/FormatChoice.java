package io.cle.kubernetes.internal.discovery;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

import io.cle.ApiFormat;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.loop.internal.BackOff;
import io.cle.loop.internal.EventLoop;
import io.cle.model.internal.ApiResult;
import io.cle.store.internal.Subscription;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Chooses the kind of candidates that a process uses: the configured kind, else one that its API server supports. The API server is queried
 * until it answers, because a missing answer or a refusal doesn't show what it serves.
 *
 * <p>A kind is kept even if a preferred kind is served later. If the API server no longer serves it, the choice is made anew, and every lease
 * starts over.
 *
 * <p>If no kind can be used, an application chooses none and races for its leases without a candidate (safety.md#fallback-race), and the
 * API server is queried again every minute. A coordinator waits for a usable kind: an API server whose feature gate is off would silently
 * drop the fields that it writes in the native format.
 *
 * <p>Thread-safe. Callbacks run on the event loop.
 */
public final class FormatChoice {

    /** The delay after a failure before the API server is queried again: one that has just started serves no CRD for some seconds. */
    private static final Duration DOUBT = Duration.ofSeconds(10);

    /** How often to query an API server that serves no candidates: more often at first, because somebody may be installing the CRD. */
    private static final BackOff WHILE_NONE = new BackOff(Duration.ofSeconds(10), Duration.ofMinutes(1));

    private static final Logger log = LoggerFactory.getLogger(FormatChoice.class);

    private final FormatDiscovery discovery;
    private final boolean waits;
    private final Optional<ApiFormat> pinned;
    private final EventLoop loop;
    private final RandomGenerator random;
    private final List<User> users = new CopyOnWriteArrayList<>();

    private volatile State state = new State(false, null, "querying which wire formats the API server serves");
    // The rest is confined to the loop.
    private boolean asking;

    /** The number of consecutive queries without a usable kind. */
    private int failures;

    private EventLoop.@Nullable Timer nextQuestion;

    /**
     * The current choice.
     *
     * @param chosen whether the choice is made: a kind, or none
     * @param kind the kind in use; {@code null} before the choice, and if none is chosen
     * @param reason why this kind was chosen, or why none was chosen yet, for display
     */
    private record State(boolean chosen, @Nullable ResourceType kind, String reason) {}

    private record User(Consumer<Optional<ResourceType>> chosen, Consumer<String> problem) {}

    private FormatChoice(
            FormatDiscovery discovery,
            boolean waits,
            Optional<ApiFormat> pinned,
            EventLoop loop,
            RandomGenerator random) {
        this.discovery = discovery;
        this.waits = waits;
        this.pinned = pinned;
        this.loop = loop;
        this.random = random;
    }

    /**
     * Returns the choice of a process with candidates. No request is sent yet.
     *
     * @param pinned the format that was set; empty to ask the API server
     * @param random for the jitter of repeated queries
     */
    public static FormatChoice ofCandidate(
            FormatDiscovery discovery, Optional<ApiFormat> pinned, EventLoop loop, RandomGenerator random) {
        return new FormatChoice(discovery, false, pinned, loop, random);
    }

    /**
     * Returns the choice of a coordinator. No request is sent yet.
     *
     * @param pinned the format that was set; empty to ask the API server
     * @param random for the jitter of repeated queries
     */
    public static FormatChoice ofCoordinator(
            FormatDiscovery discovery, Optional<ApiFormat> pinned, EventLoop loop, RandomGenerator random) {
        return new FormatChoice(discovery, true, pinned, loop, random);
    }

    /**
     * Registers callbacks for the chosen kind and for each later one that replaces it.
     *
     * @param chosen receives the kind; empty if no candidates are served, which never happens for a coordinator
     * @param problem receives the reason after each query that found no usable kind
     * @return unregisters the callbacks when closed
     */
    public Subscription use(Consumer<Optional<ResourceType>> chosen, Consumer<String> problem) {
        User user = new User(chosen, problem);
        loop.execute(() -> {
            users.add(user);
            if (state.chosen()) {
                chosen.accept(Optional.ofNullable(state.kind()));
            } else if (waits && crdIsSet()) {
                // No query is needed: with this setting a coordinator has no alternative, even if the CRD isn't served.
                begin(Optional.of(ResourceType.CRD_CANDIDATES), "the crd format is set");
            }
            if (state.kind() == null && !asking && nextQuestion == null) {
                ask();
            }
        });
        return () -> loop.execute(() -> users.remove(user));
    }

    /** Queries the API server again soon, because a request has failed. */
    public void doubt() {
        loop.execute(() -> {
            boolean mayChange = state.kind() != null && !(waits && crdIsSet());
            if (mayChange && !asking && nextQuestion == null) {
                askIn(DOUBT);
            }
        });
    }

    private boolean crdIsSet() {
        return pinned.equals(Optional.of(ApiFormat.CRD));
    }

    /** Returns the format in use; empty while there is none. */
    public Optional<ApiFormat> known() {
        return Optional.ofNullable(state.kind()).map(ResourceType::format);
    }

    /** Returns why this format was chosen, or why none was chosen yet, for display. */
    public String reason() {
        return state.reason();
    }

    // ---- on the loop ---------------------------------------------------------------------------------------------

    private void askIn(Duration delay) {
        nextQuestion = loop.schedule(delay, () -> {
            nextQuestion = null;
            if (!users.isEmpty()) {
                ask();
            }
        });
    }

    private void ask() {
        asking = true;
        // Catches everything: otherwise asking would stay true, and the API server would never be queried again.
        CompletableFuture.completedStage(discovery)
                .thenCompose(FormatDiscovery::ask)
                .exceptionally(e ->
                        new ApiResult.OutcomeUnknown<>("querying which wire formats the API server serves has failed: "
                                + (e.getCause() == null ? e : e.getCause())))
                .thenAccept(result -> loop.deliver(() -> answered(result)));
    }

    private void answered(ApiResult<ServedFormats> result) {
        asking = false;
        ResourceType using = state.kind();
        if (!(result instanceof ApiResult.Ok<ServedFormats> ok)) {
            notAnswered(result.describe());
            return;
        }
        Optional<ResourceType> choice = ok.value().choose(pinned);
        String set = choice.isPresent() ? " format is set; " : " format is set, but ";
        String why = pinned.map(format -> "the " + format.text() + set).orElse("")
                + ok.value().reason();
        if (using == null) {
            begin(choice, why);
        } else if (ok.value().kinds().contains(using)) {
            state = new State(true, using, why);
        } else {
            log.warn(
                    "{} LeaseCandidates ({}) are no longer served; every lease that uses them starts over: {}",
                    using.apiVersion(),
                    using.format().text(),
                    why);
            begin(choice, why);
        }
    }

    private void notAnswered(String problem) {
        if (state.kind() != null) {
            return; // The next failure of a watch triggers a query.
        }
        if (state.chosen()) {
            askIn(WHILE_NONE.after(failures, random));
        } else if (crdIsSet()) {
            // Requests for candidates will show whether they are served.
            begin(
                    Optional.of(ResourceType.CRD_CANDIDATES),
                    "the crd format is set; whether the API server serves it isn't known: " + problem);
        } else {
            askAgain(problem);
        }
    }

    private void begin(Optional<ResourceType> choice, String why) {
        if (choice.isPresent()) {
            log.atLevel(pinned.isPresent() ? Level.INFO : Level.DEBUG)
                    .log("Format of candidates: {} ({})", choice.get().format().text(), why);
            failures = 0;
            choose(choice, why);
        } else if (waits) {
            askAgain(why);
        } else {
            failures++;
            askIn(WHILE_NONE.after(failures, random));
            choose(choice, why);
        }
    }

    private void askAgain(String problem) {
        if (!problem.equals(state.reason())) {
            log.warn("No wire format can be used yet, and the API server is asked again: {}", problem);
        }
        state = new State(false, null, problem);
        users.forEach(user -> user.problem().accept(problem));
        failures++;
        askIn(BackOff.OF_REQUESTS.after(failures, random));
    }

    /** Chooses a kind, or none; each lease logs the consequence. */
    private void choose(Optional<ResourceType> kind, String why) {
        boolean isNew = !state.chosen() || !Objects.equals(state.kind(), kind.orElse(null));
        state = new State(true, kind.orElse(null), why);
        if (isNew) {
            users.forEach(user -> user.chosen().accept(kind));
        }
    }
}
