package io.cle.samples.orders.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Records which replica led which shard when, from the work that was done: a term begins with the first request of its
 * work, and ends with the last one. Reports two replicas that lead a shard at the same time. Thread-safe.
 */
final class ShardTerms {

    /**
     * A term of a shard.
     *
     * @param from when it began, in nanoseconds since the demo began
     * @param without how long the shard had no leader before; empty for its first term
     */
    record Term(int shard, String replica, long token, long from, OptionalLong without) {}

    /** The last term of a shard, and when it ended, or -1. */
    private record Last(Term term, long to) {

        boolean running() {
            return to < 0;
        }
    }

    private final Consumer<String> problems;
    private final Map<Integer, Last> last = new TreeMap<>();

    /** The killed replicas, whose earlier requests may arrive after they are known to be gone. */
    private final Set<String> killed = new HashSet<>();

    private final List<Term> terms = new ArrayList<>();

    /**
     * Creates an empty record.
     *
     * @param problems called with violations
     */
    ShardTerms(Consumer<String> problems) {
        this.problems = problems;
    }

    /** Records the start of a term. */
    synchronized void begins(int shard, String replica, long token, long now) {
        if (killed.contains(replica)) {
            return;
        }
        Last before = last.get(shard);
        if (before != null && before.running()) {
            problems.accept(replica + " (token " + token + ") began to lead shard " + shard + ", which "
                    + before.term().replica() + " (token " + before.term().token() + ") was leading");
        }
        if (before != null && token <= before.term().token()) {
            problems.accept(replica + " began to lead shard " + shard + " with token " + token + ", after "
                    + before.term().token());
        }
        OptionalLong without =
                before == null || before.running() ? OptionalLong.empty() : OptionalLong.of(now - before.to());
        Term term = new Term(shard, replica, token, now, without);
        terms.add(term);
        last.put(shard, new Last(term, -1));
        notifyAll();
    }

    /** Records the end of a term. */
    synchronized void ends(int shard, String replica, long token, long now) {
        Last ended = last.get(shard);
        if (ended != null
                && ended.term().replica().equals(replica)
                && ended.term().token() == token) {
            last.put(shard, new Last(ended.term(), now));
            notifyAll();
        }
    }

    /** Records that a replica was killed, which ended all its terms. */
    synchronized void killed(String replica, long when) {
        killed.add(replica);
        last.replaceAll((shard, one) ->
                one.running() && one.term().replica().equals(replica) ? new Last(one.term(), when) : one);
        notifyAll();
    }

    /** Returns the replica that leads each shard at this instant; a shard without a leader is missing. */
    synchronized Map<Integer, String> leaders() {
        Map<Integer, String> leaders = new TreeMap<>();
        last.forEach((shard, one) -> {
            if (one.running()) {
                leaders.put(shard, one.term().replica());
            }
        });
        return leaders;
    }

    /** Returns how many terms have begun. */
    synchronized int count() {
        return terms.size();
    }

    /** Returns the terms that have begun after the first {@code count} terms. */
    synchronized List<Term> after(int count) {
        return List.copyOf(terms.subList(count, terms.size()));
    }

    /** Waits until the leaders are as wanted; returns false if they aren't in time. */
    synchronized boolean await(Predicate<Map<Integer, String>> wanted, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!wanted.test(leaders())) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, Math.max(left, 1_000_000));
        }
        return true;
    }
}
