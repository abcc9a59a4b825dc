package io.cle.samples.migration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.cle.samples.narration.Stopwatch;
import io.cle.samples.narration.StoryFailedException;

/**
 * Records which replica does which job: every job signs on with its first and off with its last instruction. It therefore
 * detects every overlap: the second replica signs on before the first has signed off. Independent of leases. Thread-safe.
 */
final class Board {

    private final Stopwatch stopwatch;
    private final Consumer<String> problems;
    private final List<Stint> stints = new ArrayList<>();

    Board(Stopwatch stopwatch, Consumer<String> problems) {
        this.stopwatch = stopwatch;
        this.problems = problems;
    }

    /** Records that a replica begins a job. */
    synchronized void signOn(String job, String replica) {
        long now = stopwatch.now();
        for (Stint stint : stints) {
            if (stint.open() && stint.job().equals(job)) {
                problems.accept(job + " began in " + replica + " at " + Stopwatch.millis(now) + " ms, while it ran in "
                        + stint.replica());
            }
        }
        stints.add(new Stint(job, replica, now, OptionalLong.empty()));
        notifyAll();
    }

    /** Records that a replica has ended a job. */
    synchronized void signOff(String job, String replica) {
        for (int i = 0; i < stints.size(); i++) {
            Stint stint = stints.get(i);
            if (stint.open() && stint.job().equals(job) && stint.replica().equals(replica)) {
                stints.set(i, stint.ended(stopwatch.now()));
                notifyAll();
                return;
            }
        }
        problems.accept(job + " ended in " + replica + ", where it hadn't begun");
    }

    /** Returns all stints so far, in the order of their start. */
    synchronized List<Stint> stints() {
        return List.copyOf(stints);
    }

    /** Returns the replicas that do jobs at this instant, by job. */
    synchronized Map<String, String> now() {
        Map<String, String> now = new TreeMap<>();
        stints.stream().filter(Stint::open).forEach(stint -> now.put(stint.job(), stint.replica()));
        return now;
    }

    /** Returns how long no replica did a job before a stint of it, in nanoseconds; empty before the first stint. */
    synchronized OptionalLong gapBefore(Stint stint) {
        Optional<Stint> before = stints.stream()
                .filter(other -> other.job().equals(stint.job()) && other.from() < stint.from())
                .reduce((first, second) -> second);
        return before.isEmpty() || before.get().to().isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(stint.from() - before.get().to().getAsLong());
    }

    /**
     * Waits for an assignment of jobs.
     *
     * @param expected tests the replicas by job
     * @param what describes the assignment in the message of the exception
     * @throws StoryFailedException if it isn't reached in time
     */
    synchronized void await(Predicate<Map<String, String>> expected, String what, Duration patience)
            throws InterruptedException {
        long deadline = stopwatch.now() + patience.toNanos();
        while (!expected.test(now())) {
            long left = deadline - stopwatch.now();
            if (left <= 0) {
                throw new StoryFailedException(
                        what + ": not within " + patience.toMillis() + " ms; now it is " + now());
            }
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, TimeUnit.MILLISECONDS.toNanos(1)));
        }
    }
}
