package io.cle.samples.upgrade;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.cle.samples.narration.Stopwatch;
import org.jspecify.annotations.Nullable;

/**
 * Checks every replica every millisecond whether it leads, including killed replicas, which may still believe that they
 * lead. Independent of the replicas' events, of leases and of elections.
 *
 * <p>It checks the replicas one after the other. Two leaders in a round prove nothing, because leadership may have
 * moved in between. But a replica that leads under a token after a higher one was observed has led at the same time as
 * its successor.
 */
final class OverlapWatch {

    private static final Duration STEP = Duration.ofMillis(1);

    /** The longest time that a replica of an older version may wait until it leads. */
    private static final Duration TAKEOVER = Duration.ofSeconds(1);

    private final Stopwatch stopwatch;
    private final Consumer<String> problems;
    private final List<Observed> replicas = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::run, "overlap-watch");

    private volatile boolean running = true;
    private volatile boolean newerMayLead;
    private final AtomicLong samples = new AtomicLong();
    private volatile long longestStep;
    private long last;
    private long highest = Long.MIN_VALUE;
    private String highestBy = "";

    OverlapWatch(Stopwatch stopwatch, Consumer<String> problems) {
        this.stopwatch = stopwatch;
        this.problems = problems;
        thread.setDaemon(true);
    }

    void start() {
        last = stopwatch.now();
        thread.start();
    }

    /** Observes a replica from now on. */
    void observe(Observed replica) {
        replicas.add(replica);
    }

    /** Sets whether a replica may lead although an older one is a candidate, because an administrator has chosen another strategy. */
    void allowNewerLeader(boolean allowed) {
        newerMayLead = allowed;
    }

    /** Returns the number of rounds. */
    long samples() {
        return samples.get();
    }

    /** Returns the longest time between two rounds, in nanoseconds. */
    long longestStep() {
        return longestStep;
    }

    /** Stops the checks; there are none after this method has returned. */
    void stop() throws InterruptedException {
        running = false;
        LockSupport.unpark(thread);
        thread.join(Duration.ofSeconds(1).toMillis());
    }

    private void run() {
        while (running) {
            sample();
            LockSupport.parkNanos(STEP.toNanos());
        }
    }

    /** Checks every replica once. */
    void sample() {
        long now = stopwatch.now();
        longestStep = Math.max(longestStep, now - last);
        last = now;
        for (Observed replica : replicas) {
            OptionalLong token = replica.fencingToken();
            if (token.isPresent()) {
                leads(replica, token.getAsLong(), now);
            }
        }
        samples.incrementAndGet();
    }

    private void leads(Observed replica, long token, long now) {
        if (token < highest) {
            problems.accept(replica.name() + " still led under token " + token + " at " + Stopwatch.millis(now)
                    + " ms, after " + highestBy + " had begun to lead under token " + highest);
        } else if (token == highest && !highestBy.equals(replica.name())) {
            problems.accept(replica.name() + " and " + highestBy + " both led under token " + token);
        } else {
            highest = token;
            highestBy = replica.name();
        }
        Observed older = newerMayLead ? null : olderThan(replica, now);
        if (older != null && replica.fencingToken().equals(OptionalLong.of(token))) {
            problems.accept(replica.name() + " (" + replica.version() + ") led under token " + token + ", although "
                    + older.name() + " (" + older.version() + ") was a candidate");
        }
    }

    /** Returns a replica of an older version that has had the time to take over; null if there is none. */
    private @Nullable Observed olderThan(Observed leader, long now) {
        for (Observed other : replicas) {
            OptionalLong since = other.candidateSince();
            if (since.isPresent()
                    && now - since.getAsLong() > TAKEOVER.toNanos()
                    && other.version().compareTo(leader.version()) < 0) {
                return other;
            }
        }
        return null;
    }
}
