package io.cle.fencing.jdbc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;

/**
 * Measures transactions of one INSERT with and without the fence. No test: the build doesn't run it, {@code docs/fencing.md#what-it-costs} says
 * how to.
 */
class FencingCost {

    private static final int BLOCKS = 60;
    private static final int TRANSACTIONS_OF_A_BLOCK = 200;
    private static final int BLOCKS_TO_WARM_UP = 10;

    @Test
    void measure() {
        try (Database database = Database.postgresql();
                HikariDataSource pool = database.pool()) {
            System.out.println("threads | without | with (median of a transaction of one INSERT)");
            for (int threads : new int[] {1, 8}) {
                Leader unfenced = Leader.unfenced(1, pool);
                Leader fenced = Leader.of(1, pool);
                List<Long> without = new ArrayList<>();
                List<Long> with = new ArrayList<>();
                // In turns, so that what else the machine does concerns both.
                for (int block = 0; block < BLOCKS; block++) {
                    List<Long> nanosWithout = block(unfenced, threads);
                    List<Long> nanosWith = block(fenced, threads);
                    if (block >= BLOCKS_TO_WARM_UP) {
                        without.addAll(nanosWithout);
                        with.addAll(nanosWith);
                    }
                }
                System.out.printf("%d | %d µs | %d µs%n", threads, median(without) / 1_000, median(with) / 1_000);
            }
        }
    }

    private static List<Long> block(Leader leader, int threads) {
        IntFunction<CompletableFuture<long[]>> thread = number -> CompletableFuture.supplyAsync(
                () -> IntStream.range(0, TRANSACTIONS_OF_A_BLOCK / threads)
                        .mapToLong(transaction -> {
                            long began = System.nanoTime();
                            leader.writes();
                            return System.nanoTime() - began;
                        })
                        .toArray(),
                task -> new Thread(task).start());
        List<CompletableFuture<long[]>> running =
                IntStream.range(0, threads).mapToObj(thread).toList();
        return running.stream()
                .flatMapToLong(done -> Arrays.stream(done.join()))
                .boxed()
                .toList();
    }

    private static long median(List<Long> nanos) {
        return nanos.stream().sorted().skip(nanos.size() / 2).findFirst().orElseThrow();
    }
}
