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
 * Asks every replica every millisecond whether it leads, also those that were killed: they may still believe it. Knows nothing of
 * what listeners of replicas get, of leases or of elections.
 *
 * <p>It asks one after the other, so that two yeses alone say nothing: leadership may have moved in between. But a replica that is seen
 * to lead under a token, after a higher one has been seen, has led beside its successor.
 */
final class OverlapWatch {

    private static final Duration STEP = Duration.ofMillis(1);

    /** How long a replica of an older version may have to wait until it leads. */
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

    /** Observes a replica from now on, for ever. */
    void observe(Observed replica) {
        replicas.add(replica);
    }

    /** Whether a replica may lead although an older one is a candidate, because an administrator has chosen another strategy. */
    void allowNewerLeader(boolean allowed) {
        newerMayLead = allowed;
    }

    /** How often it has asked everybody. */
    long samples() {
        return samples.get();
    }

    /** The longest time between one round of asking and the next, in nanoseconds. */
    long longestStep() {
        return longestStep;
    }

    /** Asks no more, once this has returned. */
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

    /** Asks everybody once. */
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

    /** A replica of an older version that has had the time to take over; null when there is none. */
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
