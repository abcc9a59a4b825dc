package io.cle;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ShardTest {

    /** The vectors of docs/shards.md, for other languages; the hashes are those of FNV's authors. */
    @ParameterizedTest
    @CsvSource({
        "'', cbf29ce484222325, 12",
        "a, af63dc4c8601ec8c, 10",
        "foobar, 85944171f73967e8, 8",
        "customer-4711, 570cfabeccba0c4f, 5",
        "Zürich, ef841596f67fdc0, 0"
    })
    void aKeysShardIsTheRangeThatItsHashIsIn(String key, String hash, int shardOf16) {
        assertThat(Long.toHexString(Shard.hash(key.getBytes(StandardCharsets.UTF_8))))
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

    @Test
    void uuidsAreSpreadEvenlyOverTheShards() {
        Random random = new Random(1);
        assertThat(keysOfEachShard(10_000, i -> new UUID(random.nextLong(), random.nextLong()).toString()))
                .allMatch(ofShard -> ofShard > 530 && ofShard < 720);
    }

    /** FNV-1a hardly mixes the last characters of a key into the upper bits, which docs/shards.md warns of. */
    @Test
    void keysThatCountUpAreSpreadOnlyIfThereAreMany() {
        assertThat(keysOfEachShard(100_000, i -> "customer-" + i))
                .allMatch(ofShard -> ofShard > 4_900 && ofShard < 7_700);
        assertThat(keysOfEachShard(100, i -> "customer-" + i).filter(ofShard -> ofShard > 0))
                .hasSize(2);
    }

    private static IntStream keysOfEachShard(int keys, IntFunction<String> key) {
        int[] counts = new int[16];
        for (int i = 0; i < keys; i++) {
            counts[Shard.of(key.apply(i), 16).index()]++;
        }
        return Arrays.stream(counts);
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
