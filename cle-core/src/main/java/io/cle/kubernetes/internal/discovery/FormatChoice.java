package io.cle.kubernetes.internal.discovery;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
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

/**
 * Chooses the kind of candidates that a process uses: the one that was set, else the one that its API server can be used with. The API server is
 * asked until it answers; an API server that doesn't answer, or refuses to, has said nothing about what it serves.
 *
 * <p>A usable kind is kept even if a preferred kind is served later, so that processes don't switch back and forth. It is given up when two answers,
 * some time apart, say that it can't be used: of several API servers one may lag behind, or not be ready yet.
 *
 * <p>If the answer is that no kind can be used, an application chooses none and races for its leases without a candidate
 * (safety.md#fallback-race), and the API server is asked again every minute. A coordinator waits for a kind: what it writes in the native
 * format would be dropped without a word by an API server whose feature gate is off.
 *
 * <p>Thread-safe. Users are called on the event loop.
 */
public final class FormatChoice {

    /** An API server that has gone is given so long before it is asked what it serves now. */
    private static final Duration FIRST_DOUBT = Duration.ofSeconds(1);

    /** How far apart the two answers are by which a kind is left. */
    private static final Duration BETWEEN_ANSWERS = Duration.ofSeconds(10);

    /** How often an API server that serves no candidates is asked again: often at first, because somebody may be installing the CRD. */
    private static final BackOff WHILE_NONE = new BackOff(Duration.ofSeconds(10), Duration.ofMinutes(1));

    private static final Logger log = LoggerFactory.getLogger(FormatChoice.class);

    private final FormatDiscovery discovery;
    private final boolean waits;
    private final Optional<ApiFormat> pinned;
    private final EventLoop loop;
    private final RandomGenerator random;
    private final List<User> users = new CopyOnWriteArrayList<>();

    private volatile State state =
            new State(false, null, "the API server is asked which wire formats it serves", false);
    // The rest is confined to the loop.
    private boolean asking;

    /** How many questions in a row have brought no kind to use. */
    private int failures;

    /** How many answers in a row said that the kind in use can't be used. */
    private int refusals;

    private EventLoop.@Nullable Timer nextQuestion;

    /**
     * What is known.
     *
     * @param chosen whether there is a choice: a kind, or none
     * @param kind the kind in use; {@code null} before the choice, and if it is none
     * @param reason why it is this one, or why there is none yet, for a person
     * @param usable whether the API server can be used with it, by its last answer
     */
    private record State(boolean chosen, @Nullable ResourceType kind, String reason, boolean usable) {}

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
     * The choice of a process with candidates, which has asked nothing yet.
     *
     * @param pinned the format that was set; empty to ask the API server
     * @param random for the jitter of repeated questions
     */
    public static FormatChoice ofCandidate(
            FormatDiscovery discovery, Optional<ApiFormat> pinned, EventLoop loop, RandomGenerator random) {
        return new FormatChoice(discovery, false, pinned, loop, random);
    }

    /**
     * The choice of a coordinator, which has asked nothing yet.
     *
     * @param pinned the format that was set; empty to ask the API server
     * @param random for the jitter of repeated questions
     */
    public static FormatChoice ofCoordinator(
            FormatDiscovery discovery, Optional<ApiFormat> pinned, EventLoop loop, RandomGenerator random) {
        return new FormatChoice(discovery, true, pinned, loop, random);
    }

    /**
     * Uses the kind that is chosen, and each later one in place of the one before.
     *
     * @param chosen takes the kind; empty if no candidates are served, which a coordinator is never given
     * @param problem takes what keeps one from being chosen, each time that the API server was asked in vain
     * @return ends this
     */
    public Subscription use(Consumer<Optional<ResourceType>> chosen, Consumer<String> problem) {
        User user = new User(chosen, problem);
        loop.execute(() -> {
            users.add(user);
            if (state.chosen()) {
                chosen.accept(Optional.ofNullable(state.kind()));
            } else if (waits && crdIsSet()) {
                // Served or not, there is no other one for a coordinator to be found by asking.
                begin(Optional.of(ResourceType.CRD_CANDIDATES), "the crd format is set");
            }
            if (state.kind() == null && !asking && nextQuestion == null) {
                ask();
            }
        });
        return () -> loop.execute(() -> users.remove(user));
    }

    /** Asks the API server soon what it serves now, because it has shown trouble. */
    public void doubt() {
        loop.execute(() -> {
            boolean mayChange = state.kind() != null && !(waits && crdIsSet());
            if (mayChange && !asking && nextQuestion == null) {
                askIn(FIRST_DOUBT);
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

    /** Returns whether the API server can be used with the format, by its last answer; false while there is no format. */
    public boolean usable() {
        return state.usable();
    }

    /** Returns why it is this format, or why there is none yet, for a person. */
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
        // Nothing may be thrown past this: without an answer, asking would stay true, and the API server would
        // never be asked again.
        CompletableFuture.completedStage(discovery)
                .thenCompose(FormatDiscovery::ask)
                .exceptionally(e ->
                        new ApiResult.OutcomeUnknown<>("the API server can't be asked which wire formats it serves: "
                                + (e.getCause() == null ? e : e.getCause())))
                .thenAccept(result -> loop.deliver(() -> answered(result)));
    }

    private void answered(ApiResult<ServedFormats> result) {
        asking = false;
        ResourceType using = state.kind();
        if (!(result instanceof ApiResult.Ok<ServedFormats> ok)) {
            if (state.chosen()) {
                askIn(BETWEEN_ANSWERS);
            } else if (crdIsSet()) {
                // Requests for candidates will tell whether they are served.
                begin(Optional.of(ResourceType.CRD_CANDIDATES), "the crd format is set; " + result.describe());
            } else {
                askAgain(result.describe());
            }
            return;
        }
        Optional<ResourceType> choice = ok.value().choose(pinned);
        String set = choice.isPresent() ? " format is set; " : " format is set, but ";
        String why = pinned.map(format -> "the " + text(format) + set).orElse("")
                + ok.value().reason();
        if (using == null) {
            if (state.chosen() && choice.isEmpty()) {
                stayWithNone(why);
            } else {
                begin(choice, why);
            }
        } else {
            judge(using, ok.value().kinds().contains(using), choice, why);
        }
    }

    private void begin(Optional<ResourceType> choice, String why) {
        if (choice.isPresent()) {
            log.info("the format of candidates is {}: {}", text(choice.get().format()), why);
            choose(choice.get(), why);
        } else if (waits) {
            askAgain(why);
        } else {
            chooseNone(why);
        }
    }

    private void askAgain(String problem) {
        if (!problem.equals(state.reason())) {
            log.warn("no wire format can be used yet, and the API server is asked again: {}", problem);
        }
        state = new State(false, null, problem, false);
        users.forEach(user -> user.problem().accept(problem));
        failures++;
        askIn(BackOff.OF_REQUESTS.after(failures, random));
    }

    private void judge(ResourceType using, boolean usable, Optional<ResourceType> choice, String why) {
        boolean reported = refusals > 1;
        refusals = usable ? 0 : refusals + 1;
        if (refusals > 1 && choice.isPresent()) {
            log.warn(
                    "the format of candidates changes from {} ({}) to {} ({}), and every lease that uses it starts over: {}",
                    text(using.format()),
                    using.apiVersion(),
                    text(choice.get().format()),
                    choice.get().apiVersion(),
                    why);
            refusals = 0;
            choose(choice.get(), why);
            return;
        }
        if (refusals > 1 && !waits) {
            chooseNone(why);
            return;
        }
        if (usable && reported) {
            log.info("the format of candidates is {}: {}", text(using.format()), why);
        } else if (refusals == 2) {
            log.warn(
                    "the {} format of candidates can't be used: {}; nothing can be coordinated",
                    text(using.format()),
                    why);
        }
        state = new State(true, using, why, usable);
        if (!usable) {
            askIn(BETWEEN_ANSWERS);
        }
    }

    private void choose(ResourceType kind, String why) {
        failures = 0;
        state = new State(true, kind, why, refusals == 0);
        users.forEach(user -> user.chosen().accept(Optional.of(kind)));
    }

    /** Each lease says in a line of its own what follows. */
    private void chooseNone(String why) {
        log.debug("no candidate can be announced: {}", why);
        refusals = 0;
        failures = 0;
        stayWithNone(why);
        users.forEach(user -> user.chosen().accept(Optional.empty()));
    }

    private void stayWithNone(String why) {
        failures++;
        state = new State(true, null, why, false);
        askIn(WHILE_NONE.after(failures, random));
    }

    private static String text(ApiFormat format) {
        return format.name().toLowerCase(Locale.ROOT);
    }
}
