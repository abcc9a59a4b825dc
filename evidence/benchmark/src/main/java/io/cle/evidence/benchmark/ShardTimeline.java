package io.cle.evidence.benchmark;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.cle.evidence.process.Event;

/**
 * Which process led which shard when, from the processes' output. Pure. Times are in nanoseconds since 1970.
 *
 * @param terms the terms of all shards, in the order in which they began
 */
record ShardTimeline(List<Term> terms) {

    private static final double NANOS_PER_MILLI = 1e6;

    /**
     * A term of a shard.
     *
     * @param to when it ended; {@link Long#MAX_VALUE} if it hasn't
     */
    record Term(int shard, String process, long from, long to) {

        private boolean isRunning() {
            return to == Long.MAX_VALUE;
        }
    }

    /**
     * The cost of an event. Times are in milliseconds.
     *
     * @param moves how often a shard moved to another process
     * @param fewestMoves how many shards had to move at least
     * @param longest the longest time for which a shard had no leader
     * @param sum the total time for which shards had no leader
     * @param untilBalanced from the event until the last shard that moved was led
     * @param most the largest number of shards that a process led meanwhile
     */
    record Cost(int moves, int fewestMoves, double longest, double sum, double untilBalanced, int most) {}

    /**
     * Reads the events of processes.
     *
     * @param events by the name of the process
     * @param ends when each killed process was killed; it doesn't print the end of its terms
     */
    static ShardTimeline of(Map<String, List<Event>> events, Map<String, Long> ends) {
        List<Term> terms = new ArrayList<>();
        events.forEach((process, printed) -> {
            Map<Integer, Long> running = new TreeMap<>();
            for (Event event : printed) {
                event.shard().ifPresent(shard -> {
                    if (event.what().equals("granted")) {
                        running.put(shard, event.nanos());
                    } else if (running.containsKey(shard)) {
                        terms.add(new Term(shard, process, running.remove(shard), event.nanos()));
                    }
                });
            }
            long end = ends.getOrDefault(process, Long.MAX_VALUE);
            running.forEach((shard, from) -> terms.add(new Term(shard, process, from, end)));
        });
        terms.sort(Comparator.comparingLong(Term::from));
        return new ShardTimeline(terms);
    }

    /** Returns whether these processes lead all shards, and their numbers of shards differ by at most one. */
    boolean isBalanced(int shards, Collection<String> processes) {
        Map<String, Integer> counts = new HashMap<>();
        processes.forEach(process -> counts.put(process, 0));
        terms.stream().filter(Term::isRunning).forEach(term -> counts.merge(term.process(), 1, Integer::sum));
        return counts.size() == processes.size()
                && counts.values().stream().mapToInt(Integer::intValue).sum() == shards
                && Collections.max(counts.values()) - Collections.min(counts.values()) <= 1;
    }

    /**
     * Returns the cost of an event after which the shards are balanced again.
     *
     * @param since when the event's effects began
     * @param event the start of the time until balance
     * @param processes the remaining processes
     * @throws IllegalStateException if two processes led a shard at the same time
     */
    Cost cost(long since, long event, int shards, Collection<String> processes) {
        Map<Integer, Term> last = new HashMap<>();
        Map<Integer, String> before = new HashMap<>();
        int moves = 0;
        long longest = 0;
        long sum = 0;
        long balanced = event;
        for (Term term : terms) {
            Term former = last.put(term.shard(), term);
            if (former != null && former.to() > term.from()) {
                throw new IllegalStateException("two led a shard: " + former + ", " + term);
            }
            if (term.from() < since || former == null) {
                // The leader before the event. If there was none, the shard's first leader is its initial place.
                before.put(term.shard(), term.process());
            } else {
                moves++;
                longest = Math.max(longest, term.from() - former.to());
                sum += term.from() - former.to();
            }
            balanced = Math.max(balanced, term.from());
        }
        return new Cost(
                moves,
                fewestMoves(before, shards, processes),
                longest / NANOS_PER_MILLI,
                sum / NANOS_PER_MILLI,
                (balanced - event) / NANOS_PER_MILLI,
                most(since));
    }

    /** Returns how many shards have to move at least: those of processes that are gone, and those that a process has beyond its share. */
    private static int fewestMoves(Map<Integer, String> leaders, int shards, Collection<String> processes) {
        List<Integer> led = processes.stream()
                .map(process -> Collections.frequency(leaders.values(), process))
                .sorted(Comparator.reverseOrder())
                .toList();
        int stay = 0;
        for (int i = 0; i < led.size(); i++) {
            stay += Math.min(led.get(i), shards / led.size() + (i < shards % led.size() ? 1 : 0));
        }
        return leaders.size() - stay;
    }

    /** Returns the largest number of shards that a process led at a time. The last change is the end of a running term, which never comes. */
    private int most(long since) {
        record Change(long nanos, String process, int by) {}
        List<Change> changes = new ArrayList<>();
        for (Term term : terms) {
            changes.add(new Change(term.from(), term.process(), 1));
            changes.add(new Change(term.to(), term.process(), -1));
        }
        changes.sort(Comparator.comparingLong(Change::nanos).thenComparingInt(Change::by));
        Map<String, Integer> counts = new HashMap<>();
        int most = 0;
        for (Change change : changes) {
            if (change.nanos() >= since) {
                // The numbers until this change.
                most = Math.max(
                        most,
                        counts.values().stream()
                                .mapToInt(Integer::intValue)
                                .max()
                                .orElse(0));
            }
            counts.merge(change.process(), change.by(), Integer::sum);
        }
        return most;
    }
}
