package io.cle.lock.internal;

import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.cle.LockSnapshot.Contact;
import io.cle.LockSnapshot.HistoryEntry;
import io.cle.LockSnapshot.Measurements;
import io.cle.LockSnapshot.Timed;
import io.cle.RevokeReason;
import io.cle.loop.internal.Clock;
import io.cle.loop.internal.RepeatedFailures;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a lock reports: its log lines, its last events, whether the API server answers, and how long renewals, drains and hand-overs take.
 * Written by the event loop, read by any thread.
 * Rule: {@code safety.md#write-that-stays}.
 */
final class LockJournal {

    private static final String NOT_ANNOUNCED = "not announced yet";
    private static final Logger log = LoggerFactory.getLogger(LeaseLock.class);

    /** The request in a problem, such as {@code GET /api/v1/pods: }. What follows it is the reason. */
    private static final Pattern REQUEST = Pattern.compile("\\b[A-Z]+ /\\S*: ");

    private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?");

    private static final int HISTORY = 50;

    private final ObjectKey lease;
    private final String identity;
    private final Clock clock;
    private final LeaseLines lines;

    /** The last events; guarded by itself. */
    private final Deque<HistoryEntry> history = new ArrayDeque<>(HISTORY);

    /** Whether an outage has been reported that hasn't ended. */
    private boolean outage;

    /** Why the API server couldn't be used, in this outage. */
    private final RepeatedFailures reasons = new RepeatedFailures();

    /** Since when the API server hasn't answered, monotonic: the wall clock may be set during an outage. */
    private long unansweredSince;

    /** Whether the last write has met a conflict: a read that succeeds after it is no end of the conflicts. */
    private boolean conflicts;

    /** Of requests for the lease. */
    private final RepeatedFailures failures = new RepeatedFailures();

    private final RepeatedFailures candidacyFailures = new RepeatedFailures();

    /** Of watches that fail while lists succeed, by what is watched. */
    private final Map<String, RepeatedFailures> watchFailures =
            Map.of("lease", new RepeatedFailures(), "candidate", new RepeatedFailures());

    private volatile Contact contact;
    private volatile Contact candidacy;
    private volatile @Nullable Contact writes;

    /** Whether the last write was stored otherwise than it was written. */
    private boolean writesAreChanged;

    /** Whether the candidate was stored otherwise than it was written last. */
    private boolean candidateIsChanged;

    /** Whether the candidate could not be announced or watched, and hasn't been since. */
    private boolean candidacyTroubled;

    private volatile Timed renewals = Timed.NONE;
    private volatile long failedRenewals;
    private volatile Timed drains = Timed.NONE;
    private volatile Timed handOvers = Timed.NONE;

    /** When the last term ended whose lease has not been handed over yet; {@code null} for none. */
    private @Nullable Long termEndedAt;

    /**
     * Makes an empty journal.
     *
     * @param lines says which lines this lease has of its own, if the process has many
     */
    LockJournal(ObjectKey lease, String identity, Clock clock, LeaseLines lines) {
        this.lease = lease;
        this.identity = identity;
        this.clock = clock;
        this.lines = lines;
        this.contact = new Contact(false, clock.wall(), Contact.NOT_ASKED);
        this.unansweredSince = clock.nanos();
        this.candidacy = new Contact(false, clock.wall(), NOT_ANNOUNCED);
    }

    /** The lock was stopped: it asks the API server nothing any more, so that the failure of its last request is of the past. */
    void leaves() {
        if (!contact.ok() && contact.asked()) {
            contact = new Contact(false, clock.wall(), Contact.NOT_ASKED);
        }
    }

    /** The lock joins the election. That the API server hasn't answered before is no outage, however long ago the lock was made. */
    void joins() {
        Instant now = clock.wall();
        if (!contact.ok()) {
            contact = new Contact(false, now, contact.asked() ? contact.problem() : "no answer yet");
            unansweredSince = clock.nanos();
        }
        if (!candidacy.ok()) {
            candidacy = new Contact(false, now, candidacy.problem());
        }
    }

    /** Notes the result of a request. An API server that rejects this process's credentials can't be used for anything. */
    void heard(ApiResult<?> result) {
        if (result instanceof ApiResult.OutcomeUnknown<?> unknown) {
            failed(unknown.message());
        } else if (result instanceof ApiResult.Refused<?> refused
                && refused.status() == HttpURLConnection.HTTP_UNAUTHORIZED) {
            failed(refused.describe());
        } else {
            answered();
        }
    }

    /** Notes the result of a read of the lease. While writes fail, a read that succeeds ends no failure. */
    void read(ApiResult<?> result) {
        heard(result);
        if (result instanceof ApiResult.Ok<?> && (writes == null || writes.ok()) && !conflicts) {
            failures.succeeded();
        }
    }

    /** Notes the result of a write of the lease. A conflict says nothing: another process has written. */
    void wrote(ApiResult<?> result) {
        Contact before = writes;
        // A read was answered since the last write that failed: writes alone fail, because of an admission webhook for
        // instance.
        boolean readsSucceed = contact.ok() && before != null && !before.ok();
        if (!(readsSucceed && result instanceof ApiResult.OutcomeUnknown<?>)) {
            heard(result);
        }
        conflicts = result instanceof ApiResult.Conflict<?>;
        if (!conflicts) {
            writesAreChanged = result instanceof ApiResult.Changed<?>;
        }
        if (result instanceof ApiResult.Ok<?>) {
            failures.succeeded();
            writes = before != null && before.ok() ? before : new Contact(true, clock.wall(), null);
        } else if (!conflicts) {
            writes = failing(before, result.describe());
        }
    }

    /**
     * Another process has written the lease and holds it. That this process could not write it is no longer shown, unless the API server
     * stores something else than is written, and the other process's record shows that, too.
     */
    void writtenByAnother(Lease lease) {
        if (!writesAreChanged || lease.confirmed()) {
            writes = null;
        }
    }

    /** The API server has answered. */
    void answered() {
        if (contact.ok()) {
            return;
        }
        Instant now = clock.wall();
        if (outage) {
            outage = false;
            String what = "the API server can be used again";
            inform(what + " after " + text(since(unansweredSince)), what);
        }
        contact = new Contact(true, now, null);
    }

    /**
     * The API server can't be used: it doesn't answer, or it refuses. An outage is one line in the log per reason and one line when it
     * ends, however many requests fail in between. The first reason often says least: one connection is reset, and the next one is refused
     * because of its certificate.
     */
    void failed(String problem) {
        Contact before = contact;
        if (before.ok()) {
            unansweredSince = clock.nanos();
        }
        contact = failing(before, problem);
        if (!outage) {
            outage = true;
            reasons.succeeded();
        }
        if (reasons.isNew(reasonOf(problem))) {
            remember("the API server can't be used: " + problem);
            if (isShown("the API server can't be used")) {
                log.warn("lease {}: the API server can't be used: {}", lease, problem);
            }
        }
    }

    /** Whether this lease has a line of its own. If not, {@link #remember} has logged the message at {@code DEBUG}. */
    private boolean isShown(String what) {
        return lines.isShown(what, lease.toString());
    }

    /** Returns a message without what differs from lease to lease. */
    private String kindOf(String message) {
        return NUMBER.matcher(message.replace(lease.toString(), "…").replace(lease.name(), "…"))
                .replaceAll("…");
    }

    /** Returns a contact that fails, since the contact before it failed first. */
    private Contact failing(@Nullable Contact before, String problem) {
        return new Contact(false, before == null || before.ok() ? clock.wall() : before.since(), problem);
    }

    private static String reasonOf(String problem) {
        Matcher request = REQUEST.matcher(problem);
        return request.find() ? problem.substring(request.end()) : problem;
    }

    private static String text(Duration duration) {
        return duration.toSeconds() < 1 ? duration.toMillis() + " ms" : duration.toSeconds() + " s";
    }

    /** Notes the result of a write of the candidate. A conflict says nothing: the candidate is written again. */
    void announced(ApiResult<Candidate> result) {
        heard(result);
        if (result instanceof ApiResult.Conflict<?>) {
            return;
        }
        candidateIsChanged = result instanceof ApiResult.Changed<?>;
        if (result instanceof ApiResult.Ok<?>) {
            candidacyWorks();
        } else {
            candidacyFailed(
                    (candidateIsChanged ? "the candidate is " : "the candidate can't be announced: ")
                            + result.describe(),
                    result.describe());
        }
    }

    /**
     * A watch fails while lists succeed, and has failed before: each reason is logged once until it has recovered.
     *
     * @param watched {@code lease} or {@code candidate}
     */
    void watchFailsAgain(String watched, String problem) {
        String message = "the watch of the " + watched + " fails again and again, and is replaced by lists meanwhile: "
                + problem;
        report(message, kindOf(message), Objects.requireNonNull(watchFailures.get(watched)));
    }

    /** A watch that has failed again and again works again. */
    void watchRecovered(String watched, Duration after) {
        if (Objects.requireNonNull(watchFailures.get(watched)).succeeded()) {
            String what = "the watch of the " + watched + " recovered";
            inform(what + " after " + text(after), what);
        }
    }

    /** The candidate is announced and watched. If it was stored otherwise than it was written, that still holds. */
    void candidacyWorks() {
        if (candidateIsChanged) {
            return;
        }
        candidacyFailures.succeeded();
        if (candidacyTroubled) {
            candidacyTroubled = false;
            inform("the candidate can be announced again");
        }
        if (!candidacy.ok()) {
            candidacy = new Contact(true, clock.wall(), null);
        }
    }

    /** The candidate can be watched, and isn't there yet. */
    void candidacyPending() {
        Contact before = candidacy;
        if (!before.ok()) {
            candidacy = new Contact(false, before.since(), NOT_ANNOUNCED);
        }
    }

    /**
     * The candidate can't be announced or watched, whether the API server answers otherwise or not.
     *
     * @param failure why; each is logged once, until the candidate can be announced and watched
     */
    void candidacyFailed(String problem, String failure) {
        candidacyTroubled(problem);
        report(problem, failure, candidacyFailures);
    }

    private void candidacyTroubled(String problem) {
        candidacy = failing(candidacy, problem);
        candidacyTroubled = true;
    }

    /** The candidate can't be announced or watched because a right is missing. The lock logs what follows from that. */
    void candidacyForbidden(String problem, String failure) {
        candidacyTroubled(problem);
        if (candidacyFailures.isNew(failure)) {
            log.debug("lease {}: {}", lease, problem);
        }
    }

    /** Logs a warning about the candidate, as {@link #report(String, String)} does. */
    void reportCandidacy(String message, @Nullable String failure) {
        report(message, failure, candidacyFailures);
    }

    /**
     * Logs a warning.
     *
     * @param failure what has failed, if the request is retried: logged once until a request for the lease succeeds; {@code null} to log each
     *     warning
     */
    void report(String message, @Nullable String failure) {
        report(message, failure, failures);
    }

    /** During an outage only the outage is logged. */
    private void report(String message, @Nullable String failure, RepeatedFailures known) {
        if (failure == null || (!outage && known.isNew(failure))) {
            report(message);
        } else {
            log.debug("lease {}: {}", lease, message);
        }
    }

    /** Logs a warning. */
    void report(String message) {
        remember(message);
        if (isShown(kindOf(message))) {
            log.warn("lease {}: {}", lease, message);
        }
    }

    /** Logs what people want to know, and needn't mend. */
    void inform(String message) {
        inform(message, kindOf(message));
    }

    private void inform(String message, String kind) {
        remember(message);
        if (isShown(kind)) {
            log.info("lease {}: {}", lease, message);
        }
    }

    /** Adds an event to the history. */
    void remember(String what) {
        synchronized (history) {
            if (history.size() == HISTORY) {
                history.removeFirst();
            }
            history.addLast(new HistoryEntry(clock.wall(), what));
        }
        log.debug("lease {}: {}", lease, what);
    }

    // ---- measurements --------------------------------------------------------------------------------------------

    /**
     * Times a write of the lease that is about to be sent.
     *
     * @param holding whether this process holds the lease, so that another record of its own is a renewal, and one
     *     that isn't its own a hand-over
     * @return takes the result
     */
    Consumer<ApiResult<?>> sending(Lease desired, boolean holding) {
        long sentAt = clock.nanos();
        boolean own = identity.equals(desired.holder());
        return result -> {
            wrote(result);
            boolean ok = result instanceof ApiResult.Ok<?>;
            if (own && holding && ok) {
                renewals = renewals.and(since(sentAt));
            } else if (own && holding) {
                long before = failedRenewals;
                failedRenewals = before + 1;
            } else if (holding && ok && termEndedAt != null) {
                handOvers = handOvers.and(since(termEndedAt));
                termEndedAt = null;
            }
        };
    }

    /** A term has begun. If the lease of the one before was lost, it can't be handed over any more. */
    void termBegan(long fencingToken) {
        remember("leads, with fencing token " + fencingToken);
        termEndedAt = null;
    }

    /**
     * A term has ended.
     *
     * @return to be run when its work has ended
     */
    Runnable termEnded(RevokeReason reason) {
        remember("no longer leads (" + reason + ")");
        long endedAt = clock.nanos();
        termEndedAt = endedAt;
        return () -> drains = drains.and(since(endedAt));
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(clock.nanos() - nanos);
    }

    Measurements measured() {
        return new Measurements(renewals, failedRenewals, drains, handOvers);
    }

    // ---- what the snapshot shows ---------------------------------------------------------------------------------

    Contact contact() {
        return contact;
    }

    Contact candidacy() {
        return candidacy;
    }

    @Nullable
    Contact writes() {
        return writes;
    }

    List<HistoryEntry> entries() {
        synchronized (history) {
            return List.copyOf(history);
        }
    }
}
