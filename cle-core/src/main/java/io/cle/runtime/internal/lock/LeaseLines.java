package io.cle.runtime.internal.lock;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.cle.runtime.internal.loop.EventLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what happens to many leases of a process at once, such as a start or an outage of the API server, from being as many lines. The
 * first leases that say the same have lines of their own, the others are summed up every few seconds. In a process of a few leases each has
 * all of its lines. Thread-safe.
 */
public final class LeaseLines {

    /** So many leases that say the same have lines of their own. */
    static final int SHOWN = 3;

    /** After what time those that had none are summed up. */
    static final Duration WINDOW = Duration.ofSeconds(5);

    /** So many of them are named. */
    private static final int NAMED = 10;

    private static final Logger log = LoggerFactory.getLogger(LeaseLines.class);

    private final EventLoop loop;
    private final Map<String, Chorus> choruses = new HashMap<>();

    /** The leases that say the same. */
    private static final class Chorus {
        private final long began;
        private final Set<String> shown = new HashSet<>();
        private final Set<String> heldBack = new TreeSet<>();
        private boolean summedUpLater;

        private Chorus(long began) {
            this.began = began;
        }

        private boolean isOver(long now) {
            return !summedUpLater && now - began > WINDOW.toNanos();
        }
    }

    /**
     * No lines yet.
     *
     * @param loop sums up
     */
    public LeaseLines(EventLoop loop) {
        this.loop = loop;
    }

    /**
     * Whether a lease has a line of its own. If not, the caller logs it at {@code DEBUG}, and the lease is in the next sum.
     *
     * @param what is said, without what differs from lease to lease; what the sum says of all of them
     */
    public synchronized boolean isShown(String what, String lease) {
        long now = loop.clock().nanos();
        choruses.values().removeIf(chorus -> chorus.isOver(now));
        Chorus chorus = choruses.computeIfAbsent(what, unused -> new Chorus(now));
        if (chorus.shown.contains(lease)) {
            return true;
        }
        if (chorus.shown.size() < SHOWN) {
            return chorus.shown.add(lease);
        }
        chorus.heldBack.add(lease);
        if (!chorus.summedUpLater) {
            chorus.summedUpLater = true;
            loop.schedule(WINDOW, () -> sumUp(what));
        }
        return false;
    }

    private synchronized void sumUp(String what) {
        Chorus chorus = choruses.get(what);
        if (chorus == null) {
            return;
        }
        if (chorus.heldBack.isEmpty()) {
            choruses.remove(what);
            return;
        }
        tell(what, chorus.heldBack);
        chorus.heldBack.clear();
        loop.schedule(WINDOW, () -> sumUp(what));
    }

    /** Sums up at once what was held back: the process ends. */
    synchronized void close() {
        choruses.forEach((what, chorus) -> {
            if (!chorus.heldBack.isEmpty()) {
                tell(what, chorus.heldBack);
            }
        });
        choruses.clear();
    }

    private static void tell(String what, Set<String> leases) {
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
