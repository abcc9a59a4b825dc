package io.cle.election.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.cle.loop.internal.Clock;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GroupEntryTest {

    private static final LeaseGroup SHARDS = new LeaseGroup("shop", "orders", 3);

    /** A clock on which everything takes time. */
    private static final class Slow implements Clock {

        private Duration takes = Duration.ZERO;
        private long nanos;

        @Override
        public long nanos() {
            nanos += takes.toNanos();
            return nanos;
        }

        @Override
        public Instant wall() {
            return Instant.EPOCH.plusNanos(nanos);
        }
    }

    private final Slow clock = new Slow();
    private final Map<ObjectKey, CandidateObservation> observed = new HashMap<>();
    private final GroupEntry group = new GroupEntry(SHARDS, observed);
    private final LeaseRecord first = new LeaseRecord(SHARDS.lease(0), Duration.ofSeconds(15), observed);

    private Set<ObjectKey> assign() {
        return group.assign(first, (lease, alive) -> true, Duration.ofSeconds(5), clock);
    }

    private void join(String name) {
        Candidate candidate =
                Candidate.builder(new ObjectKey("shop", name), SHARDS).build();
        observed.put(candidate.key(), CandidateObservation.first(candidate, clock.now(), false));
        group.candidates().add(candidate.key());
        first.add(candidate);
        group.changed();
    }

    private void leave(String name) {
        ObjectKey key = new ObjectKey("shop", name);
        group.candidates().remove(key);
        first.candidates().remove(key);
    }

    @Test
    void aLongAssignmentIsFollowedByARestInProportionAndThenByTheNextOne() {
        first.belongsTo(group);
        clock.takes = Duration.ofMillis(10);
        join("orders-a");
        assertThat(assign()).hasSize(1);
        leave("orders-a");
        join("orders-b");
        clock.takes = Duration.ZERO;

        assertThat(assign()).isEmpty();
        long rested = group.nextMoves() - clock.nanos;
        assertThat(Duration.ofNanos(rested)).isBetween(Duration.ofMillis(150), Duration.ofMillis(400));
        clock.nanos += rested;

        assertThat(assign()).hasSize(1);
        assertThat(group.assignedTo(first)).contains("orders-b");
    }

    @Test
    void anAssignmentIsFollowedByARestOfASecondAtMost() {
        first.belongsTo(group);
        clock.takes = Duration.ofSeconds(1);
        join("orders-a");
        assertThat(assign()).hasSize(1);
        clock.takes = Duration.ZERO;
        group.changed();

        assertThat(group.nextMoves() - clock.nanos)
                .isEqualTo(Duration.ofSeconds(1).toNanos());
    }

    @Test
    void aShortAssignmentIsFollowedByTheNextOneAtOnce() {
        first.belongsTo(group);
        join("orders-a");
        assertThat(assign()).hasSize(1);
        leave("orders-a");
        join("orders-b");

        assertThat(assign()).hasSize(1);
    }
}
