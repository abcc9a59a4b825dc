package io.cle.samples.orders.demo;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

import io.cle.Shard;

/**
 * Records the orders, and which replica worked on which in which term. Refuses requests of a term after a later term of
 * the same shard was seen, and reports violations: two replicas that work for a customer at the same time, an order
 * that is done twice. Thread-safe.
 */
final class OrderBook {

    /**
     * An order that has not been done yet.
     *
     * @param id its number
     * @param customer the customer
     */
    record Order(long id, String customer) {}

    /** Work in progress on an order. */
    private record Work(long order, String replica, long token) {}

    private final int shards;
    private final Consumer<String> problems;
    private final Map<Long, Order> open = new TreeMap<>();
    private final Map<Long, String> done = new HashMap<>();
    private final Map<String, Work> working = new HashMap<>();
    private final Map<Integer, Long> highestTokens = new HashMap<>();

    /** The killed replicas, whose earlier requests may arrive after they are known to be gone. */
    private final Set<String> killed = new HashSet<>();

    private long placed;
    private long begun;
    private long refused;

    /**
     * Creates an empty book.
     *
     * @param shards the number of shards of the lease
     * @param problems called with violations
     */
    OrderBook(int shards, Consumer<String> problems) {
        this.shards = shards;
        this.problems = problems;
    }

    /** Places an order. */
    synchronized void place(String customer) {
        placed++;
        open.put(placed, new Order(placed, customer));
    }

    /** Returns the orders that have not been done yet, the oldest first. */
    synchronized List<Order> open() {
        return List.copyOf(open.values());
    }

    /** Records the token of a term; returns false if a later one is known. */
    synchronized boolean admits(int shard, long token) {
        if (token < highestTokens.getOrDefault(shard, Long.MIN_VALUE)) {
            refused++;
            return false;
        }
        highestTokens.put(shard, token);
        return true;
    }

    /** Begins the work on an order; returns false if it is refused. */
    synchronized boolean begin(long id, String replica, long token) {
        Order order = open.get(id);
        if (order == null || killed.contains(replica)) {
            // The order was done after the replica read the list: by the same replica, the only one for this customer.
            return false;
        }
        if (!admits(Shard.of(order.customer(), shards).index(), token)) {
            return false;
        }
        Work other = working.putIfAbsent(order.customer(), new Work(id, replica, token));
        if (other != null) {
            problems.accept(replica + " (token " + token + ") began to work for customer " + order.customer()
                    + ", for whom " + other.replica() + " (token " + other.token() + ") was working");
            return false;
        }
        begun++;
        return true;
    }

    /** Ends the work on an order; returns false if it is refused. */
    synchronized boolean end(long id, String replica, long token, boolean isDone) {
        if (killed.contains(replica)) {
            return false;
        }
        Order order = open.get(id);
        Work work = order == null ? null : working.get(order.customer());
        if (order == null || !new Work(id, replica, token).equals(work)) {
            problems.accept(replica + " (token " + token + ") ended work on order " + id + " that it had not begun"
                    + (done.containsKey(id) ? "; " + done.get(id) + " has done it" : ""));
            return false;
        }
        working.remove(order.customer());
        if (!admits(Shard.of(order.customer(), shards).index(), token)) {
            return false;
        }
        if (isDone) {
            open.remove(id);
            done.put(id, replica);
        }
        return true;
    }

    /** Records that a replica was killed: its work in progress has ended. */
    synchronized void killed(String replica) {
        killed.add(replica);
        working.values().removeIf(work -> work.replica().equals(replica));
    }

    /** Returns how many orders were placed. */
    synchronized long placed() {
        return placed;
    }

    /** Returns how many orders were done, each of them once. */
    synchronized long done() {
        return done.size();
    }

    /** Returns how often work on an order has begun. */
    synchronized long begun() {
        return begun;
    }

    /** Returns how many writes were refused because a later term had begun. */
    synchronized long refused() {
        return refused;
    }
}
