package io.cle.samples.orders.demo;

import java.time.Duration;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.cle.Shard;

/** Customers that keep placing orders, in the same sequence in each run. */
final class Customers implements AutoCloseable {

    private static final long SEED = 4711;
    private static final int COUNT = 400;
    private static final Duration BETWEEN_ORDERS = Duration.ofMillis(25);

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final List<String> ids =
            IntStream.range(0, COUNT).mapToObj(i -> "customer-" + i).toList();
    private final ScheduledExecutorService orders = Executors.newSingleThreadScheduledExecutor();

    /** Starts placing 40 orders per second. */
    void order(OrderBook book) {
        orders.scheduleAtFixedRate(
                () -> book.place(ids.get(random.nextInt(ids.size()))),
                0,
                BETWEEN_ORDERS.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** Formats how many customers there are, and how many belong to a shard. */
    String spread(int shards) {
        IntSummaryStatistics each = ids.stream()
                .collect(Collectors.groupingBy(id -> Shard.of(id, shards), Collectors.counting()))
                .values()
                .stream()
                .collect(Collectors.summarizingInt(Long::intValue));
        return ids.size() + " customers (between " + each.getMin() + " and " + each.getMax() + " for each shard)";
    }

    /** Stops placing orders; there are none after this method has returned. */
    @Override
    public void close() {
        orders.shutdown();
        try {
            if (!orders.awaitTermination(1, TimeUnit.SECONDS)) {
                orders.shutdownNow();
            }
        } catch (InterruptedException e) {
            orders.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
