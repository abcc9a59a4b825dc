package io.cle.lock.internal;

import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.cle.LockSnapshot.Contact;
import io.cle.LockSnapshot.HistoryEntry;
import io.cle.LockSnapshot.Measurements;
import io.cle.LockSnapshot.Timed;
import io.cle.RevokeReason;
import io.cle.loop.internal.Clock;
import io.cle.loop.internal.LeaseLines;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Records what a lock reports: log lines, recent events, contact with the API server, and the durations of renewals and hand-overs. A {@link
 * Problem} is logged when it begins and when it ends; failures in between are logged at {@code DEBUG}, and {@link Contact} has the last reason.
 * Written by the event loop, read by any thread.
 * Rule: {@code safety.md#write-that-stays}.
 */
final class LockJournal {

    private static final String NOT_ANNOUNCED = "not announced yet";
    private static final Logger log = LoggerFactory.getLogger(LeaseLock.class);
    private static final int HISTORY = 50;

    private final LockConfig config;
    private final ObjectKey lease;
    private final Clock clock;
    private final LeaseLines lines;

    /** The last events; guarded by itself. */
    private final Deque<HistoryEntry> history = new ArrayDeque<>(HISTORY);

    /** The current problems and when they began. The time is monotonic, because the wall clock may be set during an outage. */
    private final Map<Problem, Long> problems = new EnumMap<>(Problem.class);

    /** Whether the last write conflicted. A successful read doesn't end conflicts. */
    private boolean conflicts;

    private volatile Contact contact;
    private volatile Contact candidacy;
    private volatile @Nullable Contact writes;

    /** Whether the last write was stored differently than written. */
    private boolean writesAreChanged;

    /** Whether the last write of the candidate was stored differently than written. */
    private boolean candidateIsChanged;

    private volatile Timed renewals = Timed.NONE;
    private volatile long failedRenewals;
    private volatile Timed handOvers = Timed.NONE;

    /** When the term ended whose lease is being handed over; {@code null} if there is none. */
    private @Nullable Long termEndedAt;

    /** The kinds of problems of a lease. While the API server can't be used, no other problem begins. */
    enum Problem {
        API_SERVER("can't use the API server", "can use the API server again"),
        LEASE("can't be read or written", "can be read and written again"),
        LEASE_WATCH("can't be watched", "can be watched again"),
        CANDIDATE("can't announce a candidate", "can announce a candidate again"),
        CANDIDATE_WATCH("can't watch a candidate", "can watch a candidate again");

        private final String begun;
        private final String ended;

        Problem(String begun, String ended) {
            this.begun = begun;
            this.ended = ended;
        }
    }

    /**
     * Creates an empty journal.
     *
     * @param lease the lease to name in log lines
     */
    LockJournal(LockConfig config, ObjectKey lease, Clock clock, LeaseLines lines) {
        this.config = config;
        this.lease = lease;
        this.clock = clock;
        this.lines = lines;
        this.contact = new Contact(false, clock.wall(), Contact.NOT_ASKED);
        this.candidacy = new Contact(false, clock.wall(), NOT_ANNOUNCED);
    }

    // ---- requests ------------------------------------------------------------------------------------------------

    /** Records that the lock was stopped and sends no more requests: the last failure no longer applies. */
    void leaves() {
        if (!contact.ok() && contact.asked()) {
            contact = new Contact(false, clock.wall(), Contact.NOT_ASKED);
        }
    }

    /** Records that the lock joins the election. No request has been sent yet, so a missing answer isn't an outage. */
    void joins() {
        Instant now = clock.wall();
        if (!contact.ok()) {
            contact = new Contact(false, now, contact.asked() ? contact.problem() : "no answer yet");
        }
        if (!candidacy.ok()) {
            candidacy = new Contact(false, now, candidacy.problem());
        }
    }

    /** Records the result of a request. Rejected credentials mean that the API server can't be used at all. */
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

    /** Records the result of a read of the lease. A successful read doesn't end failures of writes. */
    void read(ApiResult<?> result) {
        heard(result);
        if (result instanceof ApiResult.Ok<?> && (writes == null || writes.ok()) && !conflicts) {
            end(Problem.LEASE);
        }
    }

    /** Records the result of a write of the lease. A conflict is ignored, because it only means that another process has written. */
    void wrote(ApiResult<?> result) {
        Contact before = writes;
        // Reads succeed and only writes fail, for example because of an admission webhook.
        boolean readsSucceed = contact.ok() && before != null && !before.ok();
        if (!(readsSucceed && result instanceof ApiResult.OutcomeUnknown<?>)) {
            heard(result);
        }
        conflicts = result instanceof ApiResult.Conflict<?>;
        if (!conflicts) {
            writesAreChanged = result instanceof ApiResult.Changed<?>;
        }
        if (result instanceof ApiResult.Ok<?>) {
            end(Problem.LEASE);
            writes = before != null && before.ok() ? before : new Contact(true, clock.wall(), null);
        } else if (!conflicts) {
            writes = failing(before, result.describe());
        }
    }

    /**
     * Records that another process has written the lease and holds it. This ends this process's failure to write, unless the API server changes
     * writes and has changed that record, too.
     */
    void writtenByAnother(Lease lease) {
        if (!writesAreChanged || lease.confirmed()) {
            writes = null;
        }
    }

    /** Records that the API server has answered. */
    void answered() {
        end(Problem.API_SERVER);
        if (!contact.ok()) {
            contact = new Contact(true, clock.wall(), null);
        }
    }

    /** Records that the API server doesn't answer, or refuses. */
    void failed(String problem) {
        contact = failing(contact, problem);
        begin(Problem.API_SERVER, Level.WARN, "the API server can't be used: " + problem);
    }

    /** Returns a failing contact, which keeps the time of the first failure. */
    private Contact failing(@Nullable Contact before, String problem) {
        return new Contact(false, before == null || before.ok() ? clock.wall() : before.since(), problem);
    }

    /** Records that a watch has failed again while lists succeed. */
    void watchFailsAgain(Problem watch, String problem) {
        begin(watch, Level.WARN, watch.begun + "; falling back to lists: " + problem);
    }

    // ---- the candidate -------------------------------------------------------------------------------------------

    /** Records the result of a write of the candidate. A conflict is ignored, because the candidate is written again. */
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
                    Level.WARN);
        }
    }

    /** Records that the candidate is announced and watched. Doesn't end the problem that it was stored differently than written. */
    void candidacyWorks() {
        if (candidateIsChanged) {
            return;
        }
        end(Problem.CANDIDATE);
        if (!candidacy.ok()) {
            candidacy = new Contact(true, clock.wall(), null);
        }
    }

    /** Records that the candidate is watched and doesn't exist yet. */
    void candidacyPending() {
        if (!candidacy.ok()) {
            candidacy = new Contact(false, candidacy.since(), NOT_ANNOUNCED);
        }
    }

    /**
     * Records that the candidate can't be announced or watched.
     *
     * @param level {@code DEBUG} if a permission is missing, because the lock logs the consequence
     */
    void candidacyFailed(String problem, Level level) {
        candidacy = failing(candidacy, problem);
        begin(Problem.CANDIDATE, level, problem);
    }

    // ---- lines and history ---------------------------------------------------------------------------------------

    /** Logs a problem at WARN when it begins, and at DEBUG as long as it lasts. */
    void begin(Problem problem, Level level, String message) {
        boolean may = problem == Problem.API_SERVER || !problems.containsKey(Problem.API_SERVER);
        boolean isNew = may && problems.putIfAbsent(problem, clock.nanos()) == null;
        if (isNew && level != Level.DEBUG) {
            log(level, problem.begun, message);
        } else {
            log.debug("Lease {}: {}", lease, message);
        }
    }

    /** Ends a problem, if there is one. */
    void end(Problem problem) {
        Long began = problems.remove(problem);
        if (began != null) {
            log(Level.INFO, problem.ended, problem.ended + " after " + text(since(began)));
        }
    }

    private static String text(Duration duration) {
        long millis = duration.toMillis();
        return millis < 10_000 && millis % 1000 != 0 ? millis + " ms" : duration.toSeconds() + " s";
    }

    /** Logs a warning that isn't a lasting problem. */
    void report(String message) {
        log(Level.WARN, "have other warnings", message);
    }

    /** Logs information that requires no action. */
    void inform(String message) {
        log(Level.INFO, "have other messages", message);
    }

    /** Adds an event to the history. */
    void remember(String what) {
        log(Level.DEBUG, "", what);
    }

    private void log(Level level, String kind, String message) {
        synchronized (history) {
            if (history.size() == HISTORY) {
                history.removeFirst();
            }
            history.addLast(new HistoryEntry(clock.wall(), message));
        }
        lines.log(level, kind, lease.toString(), message);
    }

    // ---- terms and measurements ----------------------------------------------------------------------------------

    /**
     * Times a write of the lease that is about to be sent.
     *
     * @param holding whether this process holds the lease: a record that names it is then a renewal, any other a hand-over
     * @return receives the result
     */
    Consumer<ApiResult<?>> sending(Lease desired, boolean holding) {
        long sentAt = clock.nanos();
        boolean own = config.identity().equals(desired.holder());
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

    /** Records that a term has begun, and forgets an unfinished hand-over of the previous one. */
    void termBegan(long fencingToken) {
        log(Level.INFO, "lead", "leads with fencing token " + fencingToken);
        termEndedAt = null;
    }

    /** Records that a term has ended. */
    void termEnded(RevokeReason reason) {
        if (reason == RevokeReason.RENEW_DEADLINE) {
            log(
                    Level.WARN,
                    "have lost their leadership",
                    "leadership lost: no renewal succeeded within the renew deadline ("
                            + text(config.timings().renewDeadline()) + ")");
        } else {
            log(Level.INFO, "no longer lead", "no longer leads (" + reason + ")");
        }
        termEndedAt = clock.nanos();
    }

    /** Records a new holder; {@code null} for none. */
    void holderChanged(@Nullable String holder) {
        if (holder == null) {
            log(Level.INFO, "have no holder", "there is no leader");
        } else {
            log(Level.INFO, "have a new holder", "the holder is '" + holder + "'");
        }
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(clock.nanos() - nanos);
    }

    Measurements measured() {
        return new Measurements(renewals, failedRenewals, handOvers);
    }

    // ---- values of the snapshot ----------------------------------------------------------------------------------

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
