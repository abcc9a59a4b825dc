package io.cle.lock.internal;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.cle.loop.internal.EventLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Aggregates log lines when many leases of a process report the same event at once, such as a start or an outage of the API server. The first
 * leases to report an event are logged individually, the others in one line every few seconds. If a process has only a few leases, each is
 * logged individually. Thread-safe.
 */
public final class LeaseLines {

    /** How many leases are logged individually per event. */
    static final int SHOWN = 3;

    /** How long the other leases are collected before they are logged in one line. */
    static final Duration WINDOW = Duration.ofSeconds(5);

    /** How many leases that line names. */
    private static final int NAMED = 10;

    private static final Logger log = LoggerFactory.getLogger(LeaseLines.class);

    private final EventLoop loop;
    private final Map<String, Report> reports = new HashMap<>();

    /** The leases that report the same event. */
    private static final class Report {
        private final long began;
        private final Set<String> shown = new HashSet<>();
        private final Set<String> heldBack = new TreeSet<>();
        private boolean scheduled;

        private Report(long began) {
            this.began = began;
        }

        private boolean isOver(long now) {
            return !scheduled && now - began > WINDOW.toNanos();
        }
    }

    /**
     * Starts with no event.
     *
     * @param loop logs the leases that were collected
     */
    public LeaseLines(EventLoop loop) {
        this.loop = loop;
    }

    /**
     * Returns whether a lease is logged individually. If not, the caller logs it at {@code DEBUG}, and the lease is in the next line for many.
     *
     * @param what the event, without what differs from lease to lease
     */
    public synchronized boolean isShown(String what, String lease) {
        long now = loop.clock().nanos();
        reports.values().removeIf(report -> report.isOver(now));
        Report report = reports.computeIfAbsent(what, unused -> new Report(now));
        if (report.shown.contains(lease)) {
            return true;
        }
        if (report.shown.size() < SHOWN) {
            return report.shown.add(lease);
        }
        report.heldBack.add(lease);
        if (!report.scheduled) {
            report.scheduled = true;
            loop.schedule(WINDOW, () -> logHeldBack(what));
        }
        return false;
    }

    private synchronized void logHeldBack(String what) {
        Report report = reports.get(what);
        if (report == null) {
            return;
        }
        if (report.heldBack.isEmpty()) {
            reports.remove(what);
            return;
        }
        logTogether(what, report.heldBack);
        report.heldBack.clear();
        loop.schedule(WINDOW, () -> logHeldBack(what));
    }

    /** Logs the collected leases at once, because the process ends. */
    synchronized void close() {
        reports.forEach((what, report) -> {
            if (!report.heldBack.isEmpty()) {
                logTogether(what, report.heldBack);
            }
        });
        reports.clear();
    }

    private static void logTogether(String what, Set<String> leases) {
        int unnamed = leases.size() - NAMED;
        log.info(
                "{} more {}: {}: {}{}; each is logged at DEBUG",
                leases.size(),
                leases.size() == 1 ? "lease" : "leases",
                what,
                leases.stream().limit(NAMED).collect(Collectors.joining(", ")),
                unnamed > 0 ? " and " + unnamed + " others" : "");
    }
}
