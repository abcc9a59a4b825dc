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
import io.cle.model.internal.ApiResult;
import io.cle.runtime.internal.loop.BackOff;
import io.cle.runtime.internal.loop.EventLoop;
import io.cle.store.internal.Subscription;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which kind of candidates a process uses: the one that was set, else the one that its API server can be used with, which is asked until it
 * answers. A kind that can be used is kept, even if another one comes to be preferred, so that no process goes back and forth. It is left when
 * two answers, some time apart, say that it can't be used and another one can: of several API servers one may lag behind, or not be ready
 * yet. Then everything that uses it starts over.
 *
 * <p>A candidate that finds no kind served takes one all the same, because it can race for its lease in either format
 * (safety.md#fallback-race). A coordinator waits: what it writes in the native format would be dropped without a word by an API server whose
 * feature gate is off.
 *
 * <p>Thread-safe. Users are called on the event loop.
 */
public final class FormatChoice {

    /** An API server that has gone is given so long before it is asked what it serves now. */
    private static final Duration FIRST_DOUBT = Duration.ofSeconds(1);

    /** How far apart the two answers are by which a kind is left. */
    private static final Duration BETWEEN_ANSWERS = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(FormatChoice.class);

    private final FormatDiscovery discovery;
    private final boolean waits;
    private final Optional<ApiFormat> pinned;
    private final EventLoop loop;
    private final RandomGenerator random;
    private final List<User> users = new CopyOnWriteArrayList<>();

    private volatile State state = new State(null, "the API server is asked which wire formats it serves", false);
    // The rest is confined to the loop.
    private boolean asking;
    private int failures;

    /** How many answers in a row said that the kind in use can't be used. */
    private int refusals;

    private EventLoop.@Nullable Timer nextQuestion;

    /**
     * What is known.
     *
     * @param kind the kind in use; {@code null} while there is none
     * @param reason why it is this one, or why there is none yet, for a person
     * @param usable whether the API server can be used with it, by its last answer
     */
    private record State(@Nullable ResourceType kind, String reason, boolean usable) {}

    private record User(Consumer<ResourceType> chosen, Consumer<String> problem) {}

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
     * @param chosen takes the kind
     * @param problem takes what keeps one from being chosen, each time that the API server was asked in vain
     * @return ends this
     */
    public Subscription use(Consumer<ResourceType> chosen, Consumer<String> problem) {
        User user = new User(chosen, problem);
        loop.execute(() -> {
            users.add(user);
            ResourceType known = state.kind();
            if (known != null) {
                chosen.accept(known);
            } else if (pinned.equals(Optional.of(ApiFormat.CRD))) {
                // Served or not, there is no other one to be found by asking.
                begin(Optional.of(ResourceType.CRD_CANDIDATES), "the crd format is set");
            } else if (!asking && nextQuestion == null) {
                ask();
            }
        });
        return () -> loop.execute(() -> users.remove(user));
    }

    /** Asks the API server soon what it serves now, because it has shown trouble. */
    public void doubt() {
        loop.execute(() -> {
            boolean mayChange = state.kind() != null && !pinned.equals(Optional.of(ApiFormat.CRD));
            if (mayChange && !asking && nextQuestion == null) {
                askIn(FIRST_DOUBT);
            }
        });
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
            if (using == null) {
                askAgain(result.describe());
            } else {
                askIn(BETWEEN_ANSWERS);
            }
            return;
        }
        Optional<ResourceType> choice = ok.value().choose(pinned);
        String set = choice.isPresent() ? " format is set; " : " format is set, but ";
        String why = pinned.map(format -> "the " + text(format) + set).orElse("")
                + ok.value().reason();
        if (using == null) {
            begin(choice, why);
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
            log.warn("no candidate can be announced: {}", why);
            refusals = 2;
            choose(ResourceType.candidates(pinned.orElse(ApiFormat.CRD)), why);
            askIn(BETWEEN_ANSWERS);
        }
    }

    private void askAgain(String problem) {
        if (!problem.equals(state.reason())) {
            log.warn("no wire format can be used yet, and the API server is asked again: {}", problem);
        }
        state = new State(null, problem, false);
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
        if (usable && reported) {
            log.info("the format of candidates is {}: {}", text(using.format()), why);
        } else if (refusals == 2) {
            log.warn(
                    "the {} format of candidates can't be used: {}; {}",
                    text(using.format()),
                    why,
                    waits
                            ? "nothing can be coordinated"
                            : "no coordinator elects in it, and candidates race for their leases after the fallback delay");
        }
        state = new State(using, why, usable);
        if (!usable) {
            askIn(BETWEEN_ANSWERS);
        }
    }

    private void choose(ResourceType kind, String why) {
        failures = 0;
        state = new State(kind, why, refusals == 0);
        users.forEach(user -> user.chosen().accept(kind));
    }

    private static String text(ApiFormat format) {
        return format.name().toLowerCase(Locale.ROOT);
    }
}
