package io.cle.election.internal;

import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

import io.cle.election.internal.api.CoordinatorClient;
import io.cle.loop.internal.Clock;
import io.cle.loop.internal.EventLoop;
import io.cle.loop.internal.LeaseLines;
import io.cle.model.LeaseGroup;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.store.internal.WatchEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs decisions and problems, and records them as Kubernetes Events ({@code protocol.md#events}). A problem is logged when it begins and when it
 * ends; failures in between are logged at {@code DEBUG}. If many leases of a namespace, or many shards, log the same, the first ones are logged
 * individually and the others are counted. Confined to the event loop.
 */
final class CoordinatorJournal {

    private static final Logger log = LoggerFactory.getLogger(CoordinatorJournal.class);

    private final CoordinatorClient api;
    private final Clock clock;
    private final Consumer<String> reported;
    private final LeaseLines lines;

    /** The monotonic time at which each current problem began, by its description. */
    private final Map<String, Long> problems = new HashMap<>();

    /** Whether to record Events; a standby doesn't, because the coordinator does. */
    private boolean coordinating;

    /**
     * Creates a journal without entries.
     *
     * @param loop logs what was counted
     * @param reported receives the reason of each Event
     */
    CoordinatorJournal(CoordinatorClient api, EventLoop loop, Consumer<String> reported) {
        this.api = api;
        this.clock = loop.clock();
        this.reported = reported;
        this.lines = new LeaseLines(log, loop);
    }

    /** Starts or stops recording Events, as this replica starts or stops coordinating. */
    void coordinate(boolean whether) {
        coordinating = whether;
    }

    /** Whether this replica coordinates, through the API that this journal is about. */
    boolean coordinating() {
        return coordinating;
    }

    // ---- a lease -------------------------------------------------------------------------------------------------

    /**
     * Reports that a problem with a lease, its candidates or its configuration has begun.
     *
     * @param reason its kind, which is the reason of the Event, in camel case
     * @param message the problem and its consequence
     */
    void warn(Lease about, String reason, String message) {
        logProblem(Level.WARN, about, reason + " has begun", message);
        record(about, true, reason, message);
    }

    /** Reports that a problem with a lease has ended. */
    void ended(Lease about, String reason, String message) {
        logProblem(Level.INFO, about, reason + " has ended", "no longer: " + message);
    }

    /** Logs a problem with a lease without an Event. */
    void logProblem(Level level, Lease about, String kind, String message) {
        lines.log(
                level,
                "of namespace " + about.key().namespace() + ": " + kind,
                about.key().toString(),
                message);
    }

    /** Reports a decision that has been written. */
    void written(Lease lease, String reason, String message) {
        String label = lease.group();
        if (label == null || !LeaseGroup.isLabelOfShards(label)) {
            log.info("Lease {}: {}", lease.key(), message);
        } else {
            String successor = lease.endOfTerm() ? lease.preferredHolder() : lease.holder();
            lines.log(
                    Level.INFO,
                    "of " + label + ": " + reason + " " + successor,
                    lease.key().toString(),
                    message);
        }
        record(lease, false, reason, message);
    }

    private void record(Lease lease, boolean warning, String reason, String message) {
        if (!coordinating) {
            return;
        }
        reported.accept(reason);
        api.event(lease, warning, reason, message).thenAccept(result -> {
            boolean forbidden = result instanceof ApiResult.Refused<String> refused
                    && refused.status() == HttpURLConnection.HTTP_FORBIDDEN;
            if (forbidden || result instanceof ApiResult.Ok<String>) {
                outcome("Events can't be recorded", result);
            } else {
                log.debug("Lease {}: Event not recorded: {}", lease.key(), result.describe());
            }
        });
    }

    // ---- the coordinator's own requests and watches --------------------------------------------------------------

    /**
     * Records the outcome of a request.
     *
     * @param problem the problem if it has failed, as a sentence
     */
    void outcome(String problem, ApiResult<?> result) {
        if (result instanceof ApiResult.Ok<?>) {
            end(problem);
        } else {
            begin(problem, result.describe());
        }
    }

    /** Reports interruptions of a watch. Only a list ends an interruption, because every watch begins with one. */
    void watched(String kind, WatchEvent<?> event) {
        String interrupted = "Watch of " + kind + " interrupted";
        String failing = "Watch of " + kind + " keeps failing; falling back to lists";
        if (event instanceof WatchEvent.NotServed<?> notServed) {
            log.warn("There are no {}: {}", kind, notServed.message());
        } else if (event instanceof WatchEvent.Interrupted<?> again && again.again()) {
            begin(failing, again.message());
        } else if (event instanceof WatchEvent.Interrupted<?> broken) {
            begin(interrupted, broken.message());
        } else if (event instanceof WatchEvent.Snapshot<?>) {
            end(interrupted);
        } else if (event instanceof WatchEvent.Recovered<?>) {
            end(failing);
        }
    }

    private void begin(String problem, String why) {
        if (problems.putIfAbsent(problem, clock.nanos()) == null) {
            log.warn("{}: {}", problem, why);
        } else {
            log.debug("{}: {}", problem, why);
        }
    }

    /** Reports that a problem has ended, if there was one. */
    void end(String problem) {
        Long began = problems.remove(problem);
        if (began != null) {
            log.info(
                    "No longer, after {} s: {}",
                    Duration.ofNanos(clock.nanos() - began).toSeconds(),
                    problem);
        }
    }
}
