package io.cle;

import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

class ShardTest {

    /** Test vectors for other languages, cited by docs/shards.md. */
    @ParameterizedTest
    @CsvSource({
        "'', efd01f60ba992926, 14",
        "a, 82a2a958a9bece5b, 8",
        "foobar, 2c22194922d1672b, 2",
        "customer-4711, 72b09c51a8a6b618, 7",
        "Zürich, 24b22821293c05d0, 2"
    })
    void aKeysShardIsTheRangeThatItsHashIsIn(String key, String hash, int shardOf16) {
        assertThat(HexFormat.of().toHexDigits(Shard.hash(key.getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(hash);
        assertThat(Shard.of(key, 16).index()).isEqualTo(shardOf16);
    }

    @Test
    void aKeyIsOwnedByExactlyOneShardOfAnyNumber() {
        for (int count : new int[] {1, 2, 3, 7, 16, 1000}) {
            for (int i = 0; i < 200; i++) {
                String key = "key-" + i;
                int number = count;
                assertThat(IntStream.range(0, count).filter(index -> new Shard(index, number).owns(key)))
                        .as("%s of %d", key, count)
                        .hasSize(1);
            }
        }
    }

    static List<Arguments> kindsOfKeys() {
        Random random = new Random(1);
        LocalDateTime day = LocalDateTime.of(2026, 1, 1, 0, 0);
        return List.of(
                keys("counting", Integer::toString),
                keys("padded", i -> "order:" + String.valueOf(100_000_000 + i).substring(1)),
                keys("prefixed", i -> "customer-" + i),
                keys("suffixed", i -> i + "@shop.example"),
                keys("dated", i -> day.plusMinutes(i).toString()),
                keys("hexadecimal", i -> Integer.toHexString(0x10000000 + i)),
                keys("uuid", i -> new UUID(random.nextLong(), random.nextLong()).toString()));
    }

    private static Arguments keys(String kind, IntFunction<String> key) {
        return Arguments.of(Named.of(kind, key));
    }

    /** Ten times as many with {@code -Pthorough}. */
    private static final int KEYS_OF_EACH_SHARD = Boolean.getBoolean("cle.thorough") ? 10_000 : 1_000;

    /** If keys are spread at random over n shards, Pearson's chi-square has the mean n - 1 and the variance 2 (n - 1). */
    @ParameterizedTest
    @MethodSource("kindsOfKeys")
    void keysAreSpreadAsIfAtRandom(IntFunction<String> key) {
        List<Spread> spreads = IntStream.of(16, 60, 64, 256)
                .boxed()
                .flatMap(count -> Stream.of(new Spread(count, 20), new Spread(count, KEYS_OF_EACH_SHARD)))
                .toList();
        int most = spreads.stream().mapToInt(Spread::keys).max().orElseThrow();
        for (int i = 0; i < most; i++) {
            String next = key.apply(i);
            for (Spread spread : spreads) {
                if (i < spread.keys()) {
                    spread.ofShard[Shard.of(next, spread.count).index()]++;
                }
            }
        }
        assertThat(spreads)
                .allSatisfy(spread -> assertThat(spread.chiSquare())
                        .as("%d keys of %d shards", spread.keys(), spread.count)
                        .isCloseTo(spread.count - 1, within(5 * Math.sqrt(2 * (spread.count - 1)))));
    }

    private static final class Spread {

        private final int count;
        private final int perShard;
        private final int[] ofShard;

        Spread(int count, int perShard) {
            this.count = count;
            this.perShard = perShard;
            this.ofShard = new int[count];
        }

        int keys() {
            return count * perShard;
        }

        double chiSquare() {
            return Arrays.stream(ofShard)
                    .mapToDouble(keys -> Math.pow(keys - perShard, 2) / perShard)
                    .sum();
        }
    }

    @Test
    void aShardThatIsNotAmongTheNumberIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Shard(16, 16)).withMessageContaining("16 shards");
        assertThatIllegalArgumentException().isThrownBy(() -> new Shard(-1, 16)).withMessageContaining("-1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Shard(0, 0))
                .withMessageContaining("between 1 and 1000");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Shard(0, 10_000))
                .withMessageContaining("10000");
    }

    @Test
    void noShardIsCurrentOutsideOfLedWork() {
        assertThat(Shard.current()).isEmpty();
    }
}
