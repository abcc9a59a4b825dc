package io.cle.kubernetes.internal.watch;

import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

import com.google.gson.JsonObject;
import io.cle.kubernetes.internal.json.Fields;
import io.cle.kubernetes.internal.json.MalformedObjectException;
import io.cle.kubernetes.internal.transport.Answers;
import io.cle.kubernetes.internal.transport.ApiRequest;
import io.cle.kubernetes.internal.transport.ApiRequest.Verb;
import io.cle.kubernetes.internal.transport.ApiResponse;
import io.cle.kubernetes.internal.transport.KubernetesTransport;
import io.cle.kubernetes.internal.transport.KubernetesTransport.WatchEnd;
import io.cle.kubernetes.internal.transport.ResourceType;
import io.cle.loop.internal.BackOff;
import io.cle.loop.internal.EventLoop;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ResourceVersions;
import io.cle.store.internal.Subscription;
import io.cle.store.internal.WatchEvent;
import io.cle.store.internal.Watcher;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists objects, then watches them from the version of the list, until it is closed. Named after client-go's Reflector. Runs on the event
 * loop.
 *
 * <p>Lists are quorum reads: one that is older than what was already seen shows that etcd was restored ({@code safety.md#succession}). Watches
 * may be served from an API server's cache that lags; they resume from the last resourceVersion seen.
 *
 * <p>If the server closes the watch regularly, or the watch has been silent for too long, it is resumed at once from the last version seen,
 * and the watcher isn't notified. After a failure the reflector reports {@link WatchEvent.Interrupted}, waits with back-off and starts over
 * with a list, so that the next event is a snapshot. If the version is too old for the server (410), it lists at once. A watch that
 * repeatedly ends without any event, or within a second, is treated as failing. If watches fail repeatedly while lists succeed, the
 * reflector backs off further, and reports {@link WatchEvent.Recovered} when a watch works again.
 */
public final class Reflector<T> implements Subscription {

    /** How long the server keeps a watch open. Limited so that clients spread over the servers again after a restart. */
    static final Duration WATCH_TIMEOUT = Duration.ofMinutes(30);

    /** A healthy server sends a bookmark about every minute. After this silence a watch is treated as dead; reopening it is cheap. */
    static final Duration SILENCE = Duration.ofSeconds(90);

    /** The timeout for a page of a list. */
    static final Duration LIST_TIMEOUT = Duration.ofSeconds(30);

    /** The maximum number of objects per page of a list. */
    static final int PAGE = 500;

    /** How often to check whether the server now serves an optional kind of object. */
    static final Duration OPTIONAL_RETRY = Duration.ofMinutes(1);

    /** The minimum duration of a watch that isn't treated as a failure. */
    private static final Duration STEADY = Duration.ofSeconds(5);

    /** The time after which a watch that failed repeatedly is regarded as working, longer than the server may take to open it. */
    private static final Duration RECOVERED = Duration.ofSeconds(15);

    /** Watches that end sooner are resumed at once only a few times in a row, even if they delivered events. */
    private static final Duration BRIEF = Duration.ofSeconds(1);

    private static final int MOST_BRIEF = 5;

    private static final Logger log = LoggerFactory.getLogger(Reflector.class);

    private final KubernetesTransport transport;
    private final EventLoop loop;
    private final RandomGenerator random;
    private final WatchedKind<T> kind;
    private final Watcher<T> watcher;
    private final Position position = new Position();
    private final Set<ObjectKey> told = new HashSet<>();

    private volatile boolean closed;
    private int turn;
    private int failures;

    /** The number of consecutive failures of a lasting kind: a refusal or a malformed answer. */
    private int lasting;

    private boolean watching;
    private boolean brought;

    /** The number of consecutive watches that ended within {@link #BRIEF}. */
    private int brief;

    /** Whether the last list succeeded. */
    private boolean listed;

    /** Whether watches fail repeatedly while lists succeed, and since when. Reset when a watch delivers an event or stays open for some time. */
    private boolean failing;

    private boolean failingReported;
    private long failingSince;

    private boolean toldOfMissingKind;
    private long openedAt;
    private long lastHeard;
    private Subscription stream = () -> {};
    private EventLoop.Timer timer = () -> {};

    /**
     * Creates a reflector that doesn't list yet.
     *
     * @param loop the loop on which the watcher is called
     * @param random for the jitter of retries
     */
    public Reflector(
            KubernetesTransport transport,
            EventLoop loop,
            RandomGenerator random,
            WatchedKind<T> kind,
            Watcher<T> watcher) {
        this.transport = transport;
        this.loop = loop;
        this.random = random;
        this.kind = kind;
        this.watcher = watcher;
    }

    /** Starts on the loop. */
    public void start() {
        loop.execute(this::list);
    }

    @Override
    public void close() {
        closed = true;
        loop.execute(() -> {
            turn++;
            timer.cancel();
            stream.close();
        });
    }

    /**
     * Records the version in a response; on the loop. If a watch of one object hasn't reported the version of an earlier response after
     * some seconds, it is stuck, and the reflector lists. Without this, a candidate whose watch is stuck would renew its candidacy forever
     * and never learn that it was elected. No timer is needed, because a process that writes nothing has little to lose. A watch by label is
     * checked only for objects that it has reported. A watch of all objects isn't checked: it lags most under load, to which a list would add.
     *
     * @param written whether the response is to a write, whose version is the newest one
     */
    public void shown(ResourceType resource, ObjectKey key, String version, boolean written) {
        if (closed || !kind.covers(key) || !resource.equals(kind.codec().resource())) {
            return;
        }
        if (watching) {
            boolean one = kind.name() != null || (kind.byLabel() && told.contains(key));
            position.lag(key, version, written, one, loop.clock().nanos()).ifPresent(this::listBecause);
        }
    }

    private void listBecause(String what) {
        cut();
        String name = kind.name() == null ? "" : " " + kind.namespace() + '/' + kind.name();
        failed("the watch of " + kind.codec().resource() + name + ' ' + what + "; listing again", true, null);
    }

    private void list() {
        listed = false;
        listPage(new Listing<>(kind), "");
    }

    /** Lists in pages without a resourceVersion, so that all pages have the latest state as of the first page instead of a cache's state. */
    private void listPage(Listing<T> listing, String continuation) {
        if (closed) {
            return;
        }
        int current = ++turn;
        watching = false;
        Map<String, String> query = new HashMap<>(kind.selectors());
        if (kind.name() == null) {
            query.put("limit", Integer.toString(PAGE));
        }
        if (!continuation.isEmpty()) {
            query.put("continue", continuation);
        }
        ApiRequest request = request(Verb.LIST, query, LIST_TIMEOUT);
        transport
                .list(request, listing::add)
                .thenAccept(response -> onTurn(current, () -> onPage(listing, request, response)));
    }

    private void onPage(Listing<T> listing, ApiRequest request, ApiResponse response) {
        if (!(response instanceof ApiResponse.Answered answered)) {
            failed(((ApiResponse.Unanswered) response).message(), true, null);
        } else if (kind.optional() && Answers.missesKind(request, answered)) {
            onMissingKind(Answers.describe(request, answered));
        } else if (!answered.ok()) {
            refused(request, answered);
        } else {
            takePage(listing, request, answered.body());
        }
    }

    private void takePage(Listing<T> listing, ApiRequest request, JsonObject page) {
        String continuation;
        try {
            Fields metadata = Fields.of(page).child("metadata");
            listing.began(metadata.requiredString("resourceVersion"));
            continuation = metadata.string("continue");
        } catch (MalformedObjectException e) {
            failed(request.describe() + ": the list is malformed: " + e.getMessage(), false, null);
            return;
        }
        if (continuation != null && !continuation.isEmpty()) {
            listPage(listing, continuation);
        } else {
            takeList(listing, request);
        }
    }

    private void takeList(Listing<T> listing, ApiRequest request) {
        listed = true;
        if (position.behind(listing.version)) {
            log.warn(
                    "{}: the list has version {}, older than version {}, which was already seen: etcd was restored from a backup",
                    request.describe(),
                    listing.version,
                    position.version());
        }
        toldOfMissingKind = false;
        position.reset(listing.version, listing.versions);
        told.clear();
        told.addAll(listing.told);
        tell(new WatchEvent.Snapshot<>(List.copyOf(listing.objects), listing.version));
        listing.malformed.values().forEach(this::tell);
        openWatch();
    }

    /**
     * The content of the pages of one list. Objects are decoded as they are read, on the transport's threads, one page after the other.
     * Only decoded objects are kept.
     */
    private static final class Listing<T> {
        private final WatchedKind<T> kind;
        private final Map<ObjectKey, String> versions = new HashMap<>();
        private final Set<ObjectKey> told = new HashSet<>();
        private final List<T> objects = new ArrayList<>();
        private final Map<ObjectKey, WatchEvent.Malformed<T>> malformed = new HashMap<>();
        private String version = "";

        Listing(WatchedKind<T> kind) {
            this.kind = kind;
        }

        /** Records a page's version. The watch begins at the version of the first page, so that it misses nothing. */
        void began(String pageVersion) {
            if (version.isEmpty()) {
                version = pageVersion;
            }
        }

        void add(JsonObject item) {
            try {
                Fields listed = Fields.of(item);
                ObjectKey key = listed.key();
                if (!kind.covers(key)) {
                    return;
                }
                versions.put(key, Objects.requireNonNullElse(listed.resourceVersion(), ""));
                try {
                    kind.decode(listed).ifPresent(object -> {
                        objects.add(object);
                        told.add(key);
                    });
                } catch (MalformedObjectException e) {
                    malformed.put(key, new WatchEvent.Malformed<>(key, e.problem()));
                    told.add(key);
                }
            } catch (MalformedObjectException e) {
                log.warn("A listed object of {} is malformed: {}", kind.codec().resource(), e.getMessage());
            }
        }
    }

    private void onMissingKind(String message) {
        if (!toldOfMissingKind) {
            toldOfMissingKind = true;
            tell(new WatchEvent.Snapshot<>(List.of()));
            tell(new WatchEvent.NotServed<>(message));
        }
        timer = loop.schedule(OPTIONAL_RETRY, this::list);
    }

    private void openWatch() {
        if (closed) {
            return;
        }
        int current = ++turn;
        Map<String, String> query = new HashMap<>(kind.selectors());
        query.put("watch", "true");
        query.put("resourceVersion", position.version());
        query.put("allowWatchBookmarks", "true");
        query.put("timeoutSeconds", Long.toString(WATCH_TIMEOUT.toSeconds()));
        watching = true;
        brought = false;
        position.opened();
        openedAt = loop.clock().nanos();
        lastHeard = openedAt;
        ApiRequest request = request(Verb.WATCH, query, WATCH_TIMEOUT);
        stream = transport.watch(request, new KubernetesTransport.WatchStream() {
            @Override
            public void onEvent(JsonObject event) {
                Runnable step = decoded(request, event);
                onTurn(current, () -> {
                    lastHeard = loop.clock().nanos();
                    step.run();
                    if (brought) {
                        works();
                    }
                });
            }

            @Override
            public void onEnd(WatchEnd end) {
                onTurn(current, () -> takeEnd(request, end));
            }
        });
        timer = loop.schedule(failing ? RECOVERED : SILENCE, this::cutIfSilent);
    }

    private void cutIfSilent() {
        Duration heard = Duration.ofNanos(loop.clock().nanos() - lastHeard);
        if (closed) {
            return;
        }
        works();
        if (heard.compareTo(SILENCE) < 0) {
            timer = loop.schedule(SILENCE.minus(heard), this::cutIfSilent);
            return;
        }
        log.debug(
                "The watch of {} has been silent for {}; opening another",
                kind.codec().resource(),
                heard);
        stream.close();
        // A healthy server would have sent a bookmark by now. A server that has lost its data doesn't know the version
        // from which this watch was resumed, and sends nothing until its history reaches that version.
        if (brought) {
            openWatch();
        } else {
            list();
        }
    }

    /**
     * Decodes an event on the transport's thread and returns a task for the loop. The task is small: it keeps only the fields of the model,
     * however large an object's annotations and managed fields are.
     */
    private Runnable decoded(ApiRequest request, JsonObject event) {
        try {
            String type = Fields.of(event).requiredString("type");
            if (!(event.get("object") instanceof JsonObject json)) {
                throw new MalformedObjectException("an event without an object");
            }
            Fields object = Fields.of(json);
            return switch (type) {
                case "ADDED", "MODIFIED" -> decodedChange(object);
                case "DELETED" -> {
                    ObjectKey key = object.key();
                    String version = object.resourceVersion();
                    yield () -> takeDeletion(key, version);
                }
                case "BOOKMARK" -> {
                    String version = object.resourceVersion();
                    yield () -> takeBookmark(version);
                }
                case "ERROR" -> {
                    Integer code = object.integer("code", 0);
                    yield () -> {
                        cut();
                        ended(request, new ApiResponse.Answered(code == null ? 0 : code, json, null));
                    };
                }
                default -> () -> log.debug("Ignoring a watch event of unknown type {}", type);
            };
        } catch (MalformedObjectException e) {
            return () -> {
                cut();
                failed(request.describe() + ": an event is malformed: " + e.problem(), false, null);
            };
        }
    }

    private Runnable decodedChange(Fields object) throws MalformedObjectException {
        ObjectKey key = object.key();
        String version = object.resourceVersion();
        try {
            Optional<T> decoded = kind.decode(object);
            return () -> takeChange(key, version, decoded.<WatchEvent<T>>map(WatchEvent.Changed::new));
        } catch (MalformedObjectException e) {
            return () -> takeChange(key, version, Optional.of(new WatchEvent.Malformed<>(key, e.problem())));
        }
    }

    /**
     * Handles a created or changed object.
     *
     * @param event the event for the watcher; empty if the object isn't related to leader election
     */
    private void takeChange(ObjectKey key, @Nullable String version, Optional<WatchEvent<T>> event) {
        if (!isNew(key, version)) {
            return;
        }
        if (event.isPresent()) {
            told.add(key);
            tell(event.get());
        } else if (told.remove(key)) {
            tell(new WatchEvent.Removed<>(key, version));
        }
    }

    private boolean isNew(ObjectKey key, @Nullable String version) {
        boolean isNew = kind.covers(key) && position.changed(key, version);
        brought |= isNew;
        return isNew;
    }

    private void takeDeletion(ObjectKey key, @Nullable String version) {
        if (position.deleted(key, version)) {
            brought = true;
            if (told.remove(key)) {
                tell(new WatchEvent.Removed<>(key, version));
            }
        }
    }

    private void takeBookmark(@Nullable String version) {
        if (version != null && position.behind(version)) {
            listBecause("has sent a bookmark of version " + version + ", older than version " + position.version()
                    + ", which was already seen");
        } else if (version != null && !version.isEmpty()) {
            position.advance(version);
            brought = true;
        }
    }

    private void takeEnd(ApiRequest request, WatchEnd end) {
        cut();
        if (end instanceof WatchEnd.Completed) {
            completed(request);
        } else if (end instanceof WatchEnd.Refused refused) {
            ended(request, refused.answer());
        } else if (end instanceof WatchEnd.NotOpened notOpened) {
            // There was no watch, regardless of how long this took.
            watching = false;
            failed(notOpened.message(), true, null);
        } else if (steady()) {
            // A broken connection leaves no gap: the next watch resumes where this one ended.
            completed(request);
        } else {
            failed(((WatchEnd.Broken) end).message(), true, null);
        }
    }

    private void completed(ApiRequest request) {
        if (steady() || failures == 0) {
            failures = steady() ? 0 : 1;
            openWatch();
        } else {
            String how = brought ? "within " + BRIEF.toMillis() + " ms" : "without any event";
            failed(request.describe() + ": the watch repeatedly ends " + how, false, null);
        }
    }

    private void ended(ApiRequest request, ApiResponse.Answered answer) {
        // Neither is an interruption: the list has the current objects, or shows that an optional kind is gone.
        boolean listShows = answer.status() == HttpURLConnection.HTTP_GONE
                || (kind.optional() && Answers.missesKind(request, answer));
        if (listShows && (steady() || failures == 0)) {
            failures = 1;
            list();
        } else {
            refused(request, answer);
        }
    }

    /** Handles a refusal. Only a server that is starting or busy may soon answer differently, not one that answers lists and refuses watches. */
    private void refused(ApiRequest request, ApiResponse.Answered answer) {
        Duration retryAfter = Answers.retryAfter(answer);
        boolean passes = !listed && (answer.status() >= HttpURLConnection.HTTP_INTERNAL_ERROR || retryAfter != null);
        boolean forbidden = answer.status() == HttpURLConnection.HTTP_FORBIDDEN;
        failed(
                Answers.describe(request, answer),
                passes,
                retryAfter,
                forbidden ? request.verb().name().toLowerCase(Locale.ROOT) : null);
    }

    private void failed(String message, boolean passes, @Nullable Duration retryAfter) {
        failed(message, passes, retryAfter, null);
    }

    /**
     * Reports that a list or a watch has failed, and schedules another list.
     *
     * @param passes whether the failure is temporary, as while the API server is unavailable, so that a retry may soon succeed
     * @param forbidden the verb that this process has no right to; {@code null} for any other failure
     */
    private void failed(String message, boolean passes, @Nullable Duration retryAfter, @Nullable String forbidden) {
        failures = steady() ? 1 : failures + 1;
        lasting = passes ? 0 : steady() ? 1 : lasting + 1;
        boolean again = listed && failing;
        if (listed && !failing) {
            failing = true;
            failingSince = loop.clock().nanos();
        }
        failingReported |= again;
        watching = false;
        toldOfMissingKind = false;
        Duration delay =
                passes ? BackOff.OF_REQUESTS.after(failures, random) : BackOff.OF_REFUSALS.after(lasting, random);
        if (retryAfter != null && retryAfter.compareTo(delay) > 0) {
            delay = retryAfter;
        }
        tell(new WatchEvent.Interrupted<>(message, delay, again, forbidden));
        timer = loop.schedule(delay, this::list);
    }

    /** Returns whether the ended watch has worked: it stayed open for some time or delivered an event. */
    private boolean steady() {
        long lived = loop.clock().nanos() - openedAt;
        return watching && ((brought && brief <= MOST_BRIEF) || lived >= STEADY.toNanos());
    }

    /** Records that the watch works, unless it may still end within {@link #BRIEF}, as the previous ones did. */
    private void works() {
        if (!steady() || loop.clock().nanos() - openedAt < BRIEF.toNanos()) {
            return;
        }
        failing = false;
        if (failingReported) {
            failingReported = false;
            tell(new WatchEvent.Recovered<>(Duration.ofNanos(loop.clock().nanos() - failingSince)));
        }
    }

    /** Cancels the open watch. */
    private void cut() {
        boolean endsSoon = loop.clock().nanos() - openedAt < BRIEF.toNanos();
        brief = endsSoon ? brief + 1 : 0;
        turn++;
        timer.cancel();
        stream.close();
    }

    private void onTurn(int expected, Runnable action) {
        loop.deliver(() -> {
            if (!closed && turn == expected) {
                action.run();
            }
        });
    }

    private void tell(WatchEvent<T> event) {
        if (closed) {
            return;
        }
        try {
            watcher.onEvent(event);
        } catch (RuntimeException | Error e) {
            // Caught because the next watch or list would otherwise not be started.
            log.error("A watcher of {} failed on {}", kind.codec().resource(), event, e);
        }
    }

    private ApiRequest request(Verb verb, Map<String, String> query, Duration timeout) {
        return new ApiRequest(verb, kind.codec().resource(), kind.namespace(), null, query, null, timeout);
    }

    /**
     * The position of a watch: the version up to which it has reported everything, and the versions of the objects. Used to drop repeated and
     * outdated events, and to detect a watch that lags or a list of an earlier state. Versions that aren't numbers are only compared for
     * equality. Pure. Rule: {@code safety.md#succession}.
     */
    static final class Position {

        /** How long a watch may take to report the version in a response. API servers take milliseconds. */
        private static final Duration LAG = Duration.ofSeconds(5);

        private final Map<ObjectKey, String> versions = new HashMap<>();
        private String version = "";

        /** The version in a response that this watch has not reported yet, and since when; {@code null} if there is none. */
        private @Nullable String awaited;

        private long awaitedSince;

        /** Whether the last response was older than what this watch has reported, and since when all responses have been. */
        private boolean answersBehind;

        private long answersBehindSince;

        /** Starts over at the version of a list, with the versions of the listed objects. */
        void reset(String listVersion, Map<ObjectKey, String> listed) {
            versions.clear();
            version = listVersion;
            versions.putAll(listed);
        }

        /** Returns whether a version is older than {@link #version()}. */
        boolean behind(String other) {
            return ResourceVersions.older(other, version);
        }

        /** Returns the version up to which everything is known, from which a watch resumes. Empty if there is none. */
        String version() {
            return version;
        }

        /** Records a position without an object: a bookmark. */
        void advance(String next) {
            if (version.isEmpty() || !notAfter(next, version)) {
                version = next;
            }
        }

        /** Records a created or changed object, and returns whether it is new. */
        boolean changed(ObjectKey key, @Nullable String shown) {
            if (shown == null || shown.isEmpty()) {
                versions.put(key, "");
                return true;
            }
            boolean stale = notAfter(shown, versions.getOrDefault(key, version));
            if (!stale) {
                versions.put(key, shown);
                advance(shown);
            }
            return !stale;
        }

        /** Records a deletion, and returns whether it is new. */
        boolean deleted(ObjectKey key, @Nullable String shown) {
            String known = versions.get(key);
            if (known == null || (shown != null && ResourceVersions.older(shown, known))) {
                return false;
            }
            versions.remove(key);
            if (shown != null) {
                advance(shown);
            }
            return true;
        }

        private static boolean notAfter(String one, String other) {
            return one.equals(other) || ResourceVersions.older(one, other);
        }

        /** Starts over for another watch. */
        void opened() {
            awaited = null;
            answersBehind = false;
        }

        /**
         * Compares the version in a response with what the watch has reported. A single older response means nothing, because the watch may
         * have overtaken it. If all responses are older for some time, etcd has been restored (safety.md#succession).
         *
         * @param written whether the response is to a write, whose version is the newest one
         * @param one whether the watch has to report this version soon
         * @param now in monotonic nanoseconds
         * @return the problem of the watch; empty if there is none, or if it is too early to say
         */
        Optional<String> lag(ObjectKey key, String shown, boolean written, boolean one, long now) {
            boolean older = written ? behind(shown) : ResourceVersions.older(shown, versions.get(key));
            if (!older || !answersBehind) {
                answersBehind = older;
                answersBehindSince = now;
            } else if (now - answersBehindSince >= LAG.toNanos()) {
                return Optional.of("has been ahead of all responses of the API server for "
                        + millis(now - answersBehindSince) + " ms, the last of version " + shown);
            }
            if (!one) {
                return Optional.empty();
            }
            if (awaited == null || !ResourceVersions.older(version, awaited)) {
                awaited = shown;
                awaitedSince = now;
                return Optional.empty();
            }
            return now - awaitedSince < LAG.toNanos()
                    ? Optional.empty()
                    : Optional.of("hasn't shown version " + awaited + " for " + millis(now - awaitedSince) + " ms");
        }

        private static long millis(long nanos) {
            return Duration.ofNanos(nanos).toMillis();
        }
    }
}
