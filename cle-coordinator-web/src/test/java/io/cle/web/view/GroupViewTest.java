package io.cle.web.view;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ElectionView;
import io.cle.model.LeaseGroup;
import io.cle.model.internal.Lease;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GroupViewTest {

    private static final LeaseGroup FOUR = new LeaseGroup("shop", "orders", 4);
    private static final LeaseGroup EIGHT = new LeaseGroup("shop", "orders", 8);

    private final List<ElectionView> leases = new ArrayList<>();

    private static Snapshots.Builder shard(LeaseGroup group, int index, String... candidates) {
        Snapshots.Builder shard =
                Snapshots.lease("shop", group.lease(index).name()).inGroup(group);
        for (String candidate : candidates) {
            shard.candidate(Snapshots.candidate(group, candidate, "1.0.0"), Answer.ACKNOWLEDGED);
        }
        return shard;
    }

    private void led(LeaseGroup group, String... leaders) {
        for (int i = 0; i < leaders.length; i++) {
            leases.add(shard(group, i, "a", "b")
                    .ledBy(leaders[i], Duration.ofMinutes(1))
                    .build());
        }
    }

    private void waiting(LeaseGroup group, String... candidates) {
        for (int i = 0; i < group.shards(); i++) {
            leases.add(shard(group, i, candidates).build());
        }
    }

    private void retired(LeaseGroup group, String... candidates) {
        for (int i = 0; i < group.shards(); i++) {
            leases.add(shard(group, i, candidates)
                    .change(lease -> lease.retiredBy("17").leaseDuration(Lease.RELEASED))
                    .build());
        }
    }

    private GroupView group() {
        List<GroupView> groups = GroupView.allOf(leases, Snapshots.NOW);
        assertThat(groups).hasSize(1);
        return groups.get(0);
    }

    @Test
    void leasesWithoutShardsFormNoGroup() {
        leases.add(Snapshots.lease("shop", "orders-4-0").build());

        assertThat(GroupView.allOf(leases, Snapshots.NOW)).isEmpty();
    }

    @Test
    void leasesWithNamesOfTheirOwnFormAGroup() {
        LeaseGroup jobs = LeaseGroup.named("shop", "jobs");
        for (String name : List.of("reports", "billing")) {
            leases.add(Snapshots.lease("shop", name)
                    .inGroup(jobs)
                    .ledBy("a", Duration.ofMinutes(1))
                    .build());
        }

        assertThat(group().leases())
                .extracting(lease -> lease.key().name())
                .containsExactlyInAnyOrder("billing", "reports");
        assertThat(group().size()).isEqualTo(2);
        assertThat(group().withoutLeader()).isZero();
        assertThat(group().leasesByLeader()).containsExactly(Map.entry("a", 2));
    }

    @Test
    void aGroupAndALeaseWithShardsMayHaveTheSameName() {
        led(FOUR, "a", "a", "b", "b");
        leases.add(Snapshots.lease("shop", "billing")
                .inGroup(LeaseGroup.named("shop", "orders"))
                .build());

        assertThat(GroupView.allOf(leases, Snapshots.NOW))
                .extracting(GroupView::size)
                .containsExactlyInAnyOrder(1, 4);
    }

    @Test
    void shardsAreCountedByLeaderWithCandidatesThatLeadNone() {
        led(FOUR, "a", "a", "a", "a");

        assertThat(group().leasesByLeader()).containsExactly(Map.entry("a", 4), Map.entry("b", 0));
        assertThat(group().led()).isEqualTo(4);
        assertThat(group().withoutLeader()).isZero();
    }

    @Test
    void shardsWhoseLeaderIsAskedToYieldAreMoving() {
        led(FOUR, "a", "a", "b");
        leases.add(shard(FOUR, 3, "a", "b")
                .ledBy("a", Duration.ofMinutes(1))
                .change(lease -> lease.endOfTerm("b", null))
                .build());

        assertThat(group().moving()).isEqualTo(1);
        assertThat(group().led()).isEqualTo(4);
    }

    @Test
    void shardsThatAreFreeExpiredUnknownOrOnlyElectedHaveNoLeader() {
        leases.add(shard(FOUR, 0, "a").build());
        leases.add(shard(FOUR, 1, "a")
                .ledBy("a", Duration.ofMinutes(1))
                .renewedBefore(Duration.ofSeconds(16))
                .build());
        leases.add(shard(FOUR, 2, "a").elected("a", Duration.ofSeconds(1)).build());

        assertThat(group().withoutLeader()).isEqualTo(4);
    }

    @Test
    void theNumberInForceIsTheOneWithHolders() {
        led(FOUR, "a", "b", "a", "b");
        waiting(EIGHT, "new-1", "new-2");

        assertThat(group().group()).isEqualTo(FOUR);
        assertThat(group().waiting()).containsExactly(Map.entry(8, 2));
        assertThat(group().leasesByLeader()).containsOnlyKeys("a", "b");
    }

    @Test
    void theNumberInForceIsTheOneWhoseLeasesAreNotRetired() {
        retired(EIGHT, "old-1", "old-2", "old-3");
        leases.add(shard(FOUR, 0, "a").change(lease -> lease.managed(true)).build());

        assertThat(group().group()).isEqualTo(FOUR);
        assertThat(group().waiting()).containsExactly(Map.entry(8, 3));
    }

    @Test
    void theNumberInForceIsTheOneThatMostCandidatesAskForBeforeThereIsALease() {
        waiting(FOUR, "a");
        waiting(EIGHT, "b", "c");

        assertThat(group().group()).isEqualTo(EIGHT);
        assertThat(group().withoutLeader()).isEqualTo(8);
    }

    @Test
    void aRetiredNumberThatNoCandidateAsksForDoesNotWait() {
        retired(EIGHT);
        led(FOUR, "a", "b", "a", "b");

        assertThat(group().waiting()).isEmpty();
        assertThat(group().withoutLeader()).isZero();
    }
}
