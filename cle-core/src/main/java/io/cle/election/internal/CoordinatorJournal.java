package io.cle.election.internal;

import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.cle.kubernetes.internal.client.CoordinatorClient;
import io.cle.lock.internal.LockConfig;
import io.cle.loop.internal.Clock;
import io.cle.loop.internal.EventLoop;
import io.cle.loop.internal.RepeatedFailures;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.ApiResult;
import io.cle.model.internal.Lease;
import io.cle.model.internal.Moment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs what a coordinator does and finds, records it as Kubernetes Events ({@code safety.md#reasons}), and limits how often. Confined to the
 * event loop.
 */
final class CoordinatorJournal {

    private static final Logger log = LoggerFactory.getLogger(CoordinatorJournal.class);

    /** How long decisions about the shards of a lease are collected before they are logged in one line. */
    static final Duration WINDOW = Duration.ofSeconds(1);

    private final CoordinatorClient api;
    private final EventLoop loop;
    private final Clock clock;
    private final CoordinatorListener listener;
    private final ReportLimit limit = new ReportLimit();
    private final RepeatedFailures eventFailures = new RepeatedFailures();
    private final RepeatedFailures readFailures = new RepeatedFailures();

    /** The decisions about shards that aren't logged yet, by the group's namespace and label. */
    private final Map<ObjectKey, Collected> collected = new HashMap<>();

    /** Decisions about the shards of one lease. */
    private static final class Collected {

        /** The number of decisions of each kind. */
        private final Map<String, Integer> counts = new TreeMap<>();

        /** The line of the last decision, which is logged if there is no other. */
        private String only = "";
    }

    /** Whether Events are recorded: a standby observes the same as the coordinator, which records them. */
    private boolean coordinating;

    /**
     * Creates a journal without entries.
     *
     * @param loop logs the decisions that were collected
     */
    CoordinatorJournal(CoordinatorClient api, EventLoop loop, CoordinatorListener listener) {
        this.api = api;
        this.loop = loop;
        this.clock = loop.clock();
        this.listener = listener;
    }

    /**
     * A problem with a lease, its candidates or its configuration, which is reported once.
     *
     * @param reason the reason of the Event, in camel case
     * @param message what is wrong, and what follows from it
     */
    record Warning(String reason, String message) {}

    /** Starts or stops recording Events, as this replica starts or stops coordinating. */
    void coordinate(boolean whether) {
        coordinating = whether;
    }

    /** Whether this replica coordinates, through the API that this journal is about. */
    boolean coordinating() {
        return coordinating;
    }

    /** Reports a warning about a lease. */
    void warn(Lease about, Warning warning) {
        log.warn("{}", warning.message());
        record(about, true, warning.reason(), warning.message());
    }

    /** Reports a warning about an object that is ignored, unless its namespace has had too many of them. */
    void warn(Lease about, IgnoredObject object, Warning warning) {
        limit.admit(object, clock.now())
                .ifPresentOrElse(
                        omitted -> warn(about, new Warning(warning.reason(), warning.message() + omitted)),
                        () -> log.debug("{}", warning.message()));
    }

    /** Reports a decision that has been written. Those about the shards of a lease are logged together. */
    void written(Lease lease, String reason, String message) {
        String label = lease.group();
        if (label == null || !LeaseGroup.isLabelOfShards(label)) {
            log.info("lease {}: {}", lease.key(), message);
        } else {
            log.debug("lease {}: {}", lease.key(), message);
            collect(new ObjectKey(lease.key().namespace(), label), lease, reason, message);
        }
        record(lease, false, reason, message);
    }

    /** Reports that a leader has handed its lease over to a candidate that it was told to name: no coordinator has decided it. */
    void observed(Lease before, Lease after) {
        boolean named = LockConfig.HANDED_OVER.equals(after.electedBy()) && after.granted();
        if (coordinating && named && before.held() && !Objects.equals(before.holder(), after.holder())) {
            written(
                    after,
                    "HandedOver",
                    "'" + before.holder() + "' has handed over to '" + after.holder()
                            + "', as it was told to (POST /actuator/leaderelection, or resign(successor))");
        }
    }

    private void collect(ObjectKey group, Lease lease, String reason, String message) {
        Collected decisions = collected.get(group);
        if (decisions == null) {
            decisions = new Collected();
            collected.put(group, decisions);
            loop.schedule(WINDOW, () -> logCollected(group));
        }
        String what = switch (reason) {
            case "LeaderElected" -> lease.holder() + " elected for ";
            case "EndOfTerm" -> "move to " + lease.preferredHolder() + " begun for ";
            default -> reason + " for ";
        };
        decisions.counts.merge(what, 1, Integer::sum);
        decisions.only = "lease " + lease.key() + ": " + message;
    }

    private void logCollected(ObjectKey group) {
        Collected decisions = collected.remove(group);
        if (decisions == null) {
            return;
        }
        int all = decisions.counts.values().stream().mapToInt(Integer::intValue).sum();
        if (all == 1) {
            log.info("{}", decisions.only);
            return;
        }
        log.info(
                "lease {}: {}; each is logged at DEBUG",
                LeaseGroup.ofLabel(group.namespace(), group.name())
                        .map(known -> known.key() + " (" + known.shards() + " shards)")
                        .orElse(group.toString()),
                decisions.counts.entrySet().stream()
                        .map(entry -> entry.getKey() + entry.getValue())
                        .collect(Collectors.joining(", ")));
    }

    /** Notes the outcome of reading a candidate, and logs a failure that is new. */
    void read(ObjectKey candidate, ApiResult<?> result) {
        if (result instanceof ApiResult.Ok<?>) {
            readFailures.succeeded();
        } else if (readFailures.isNew(result.describe())) {
            log.warn("candidate {} could not be read: {}", candidate, result.describe());
        }
    }

    private void record(Lease lease, boolean warning, String reason, String message) {
        if (!coordinating) {
            return;
        }
        listener.reported(reason);
        api.event(lease, warning, reason, message).thenAccept(result -> {
            if (result instanceof ApiResult.Ok<String>) {
                eventFailures.succeeded();
            } else if (result instanceof ApiResult.Refused<String> refused
                    && refused.status() == HttpURLConnection.HTTP_FORBIDDEN
                    && eventFailures.isNew(result.describe())) {
                log.warn("lease {}: no Event could be recorded: {}", lease.key(), result.describe());
            } else {
                log.debug("lease {}: no Event could be recorded: {}", lease.key(), result.describe());
            }
        });
    }

    /**
     * Limits the warnings about ignored objects. A tenant may patch one object a thousand times, differently malformed each time, or create a
     * thousand of them; log and Events are shared by all tenants. A warning that is dropped is still among the problems of its lease.
     */
    static final class ReportLimit {

        /** An object is reported once in this time, and a namespace {@link #PER_NAMESPACE} times. */
        static final Duration PERIOD = Duration.ofMinutes(1);

        static final int PER_NAMESPACE = 20;

        /** When each object was reported last, the longest ago first. */
        private final Map<IgnoredObject, Long> reported = new LinkedHashMap<>();

        private final Map<String, Period> namespaces = new HashMap<>();

        /** The warnings about one namespace since an instant. */
        private static final class Period {
            private final long began;
            private int reported;
            private int leftOut;

            private Period(long began) {
                this.began = began;
            }
        }

        /**
         * Decides whether an object may be reported now.
         *
         * @return what the warning has to say about those that were dropped, possibly nothing; empty if this one is dropped
         */
        Optional<String> admit(IgnoredObject object, Moment now) {
            while (!reported.isEmpty() && isOver(reported.values().iterator().next(), now)) {
                reported.remove(reported.keySet().iterator().next());
            }
            Period period = namespaces.computeIfAbsent(object.key().namespace(), unused -> new Period(now.nanos()));
            if (isOver(period.began, now)) {
                Period next = new Period(now.nanos());
                next.leftOut = period.leftOut;
                namespaces.put(object.key().namespace(), next);
                period = next;
            }
            if (reported.containsKey(object) || period.reported == PER_NAMESPACE) {
                period.leftOut++;
                return Optional.empty();
            }
            reported.put(object, now.nanos());
            period.reported++;
            String before = period.leftOut == 0
                    ? ""
                    : "; " + period.leftOut + " reports of the namespace "
                            + object.key().namespace() + " were left out before this one";
            period.leftOut = 0;
            return Optional.of(
                    period.reported < PER_NAMESPACE
                            ? before
                            : before + "; further ones of the namespace "
                                    + object.key().namespace() + " are left out for up to a minute");
        }

        private static boolean isOver(long since, Moment now) {
            return now.nanos() - since >= PERIOD.toNanos();
        }
    }
}
