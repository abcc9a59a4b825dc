package io.cle.lock;

import java.time.Duration;
import java.time.Instant;

import io.cle.model.Lease;
import io.cle.model.Moment;
import org.junit.jupiter.api.Test;

import static io.cle.lock.Race.direct;
import static org.assertj.core.api.Assertions.assertThat;

/** A claim of two records of which only one is there in the end. */
class HalfWrittenClaimTest {

    @Test
    void aClaimWhoseOtherRecordIsDeletedWaitsForWhomThatOneNamed() {
        Lease held = LeaseWrites.claim(direct("c", null), null, "n9", second(0));
        Race race = new Race()
                .write(held.toBuilder().uid("one").secondUid("two"))
                .join(direct("a", null))
                .run(Duration.ofSeconds(10));

        Lease half = LeaseWrites.claim(direct("a", null), held, "n1", second(10));
        race.write(half.toBuilder().uid("one").secondUid(null)).run(Duration.ofSeconds(14));
        assertThat(race.leaders())
                .as("c may have renewed the other one until it was deleted, unseen, and lead until 25 s")
                .isEmpty();

        race.run(Duration.ofSeconds(2));
        assertThat(race.leaders()).containsExactly("a");
    }

    private static Moment second(int second) {
        return new Moment(Duration.ofSeconds(second).toNanos(), Instant.EPOCH.plusSeconds(second));
    }
}
