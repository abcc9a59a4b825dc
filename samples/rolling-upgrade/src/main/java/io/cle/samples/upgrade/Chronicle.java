package io.cle.samples.upgrade;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.cle.samples.narration.Stopwatch;
import io.cle.samples.narration.StoryFailedException;

/**
 * Who led from when to when, from what the replicas were told: {@code OnGrantedLeadership} and {@code OnRevokedLeadership}.
 * Checks that no term begins before the one before has ended, and that fencing tokens grow. Thread-safe.
 */
final class Chronicle {

    private final Stopwatch stopwatch;
    private final Consumer<String> problems;
    private final List<Reign> reigns = new ArrayList<>();

    Chronicle(Stopwatch stopwatch, Consumer<String> problems) {
        this.stopwatch = stopwatch;
        this.problems = problems;
    }

    /** A replica was told that it leads. */
    synchronized void granted(String replica, String version, long token) {
        long now = stopwatch.now();
        for (Reign reign : reigns) {
            if (reign.open()) {
                problems.accept(replica + " was granted leadership (token " + token + ") at " + Stopwatch.millis(now)
                        + " ms, while " + reign.replica() + " had it (token " + reign.token() + ")");
            }
            if (reign.token() >= token) {
                problems.accept(replica + " was granted leadership with fencing token " + token + ", after "
                        + reign.replica() + " had had " + reign.token());
            }
        }
        reigns.add(new Reign(replica, version, token, now, OptionalLong.empty(), ""));
        notifyAll();
    }

    /** A replica was told that it no longer leads. */
    synchronized void revoked(String replica, long token, String reason) {
        close(replica, token, reason);
    }

    /** A replica was killed, and can tell nothing any more. */
    synchronized void killed(String replica) {
        current()
                .filter(reign -> reign.replica().equals(replica))
                .ifPresent(reign -> close(replica, reign.token(), "killed"));
    }

    private void close(String replica, long token, String how) {
        for (int i = 0; i < reigns.size(); i++) {
            Reign reign = reigns.get(i);
            if (reign.open() && reign.replica().equals(replica) && reign.token() == token) {
                reigns.set(i, reign.ended(stopwatch.now(), how));
                notifyAll();
                return;
            }
        }
        problems.accept(replica + " was revoked leadership (token " + token + ") that it hadn't been granted");
    }

    /** The term that goes on. */
    synchronized Optional<Reign> current() {
        return reigns.stream().filter(Reign::open).findFirst();
    }

    /** All terms so far, the first one first. */
    synchronized List<Reign> reigns() {
        return List.copyOf(reigns);
    }

    /** For how long nobody led before a term, in nanoseconds; empty before the first. */
    synchronized OptionalLong gapBefore(Reign reign) {
        int index = reigns.indexOf(reign);
        if (index < 1 || reigns.get(index - 1).open()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(reign.from() - reigns.get(index - 1).to().getAsLong());
    }

    /**
     * Waits for a term of a kind to go on.
     *
     * @param what it is, for the message when it doesn't come
     * @throws StoryFailedException when it doesn't come in time
     */
    synchronized Reign await(Predicate<Reign> kind, String what, Duration patience) throws InterruptedException {
        long deadline = stopwatch.now() + patience.toNanos();
        while (true) {
            Optional<Reign> found = current().filter(kind);
            if (found.isPresent()) {
                return found.get();
            }
            long left = deadline - stopwatch.now();
            if (left <= 0) {
                throw new StoryFailedException(what + ": not within " + patience.toMillis() + " ms; "
                        + current().map(reign -> reign.replica() + " leads").orElse("nobody leads"));
            }
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, TimeUnit.MILLISECONDS.toNanos(1)));
        }
    }
}
