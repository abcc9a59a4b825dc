package io.cle.coordinator.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.ElectionView;
import io.cle.election.internal.ElectionView.Standing;
import io.cle.election.internal.StrategyRule;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.strategy.internal.Strategies;
import io.cle.web.CoordinatorSnapshots;
import io.cle.web.view.CoordinatorSnapshot;
import org.jspecify.annotations.Nullable;

/** What a coordinator could know of the lease {@code shop/orders}, which has four shards. Its candidates are orders-a and orders-b. */
final class ShardViews {

    private static final LeaseGroup FOUR = new LeaseGroup("shop", "orders", 4);

    private ShardViews() {}

    static ElectionView led(int shard, String leader, Instant renewed, int moves) {
        Lease lease = Lease.builder(FOUR.lease(shard)).holder(leader).build();
        return view(FOUR, shard, lease, renewed, moves, "orders-a", "orders-b");
    }

    static ElectionView moving(int shard, String leader, String next, Instant renewed) {
        Lease lease = Lease.builder(FOUR.lease(shard))
                .holder(leader)
                .endOfTerm(next, null)
                .build();
        return view(FOUR, shard, lease, renewed, 0, "orders-a", "orders-b");
    }

    static ElectionView vacant(int shard) {
        return view(FOUR, shard, Lease.builder(FOUR.lease(shard)).build(), null, 0, "orders-a", "orders-b");
    }

    /** The Leases of a number of shards that isn't in force. */
    static List<ElectionView> waiting(int shards, String candidate) {
        LeaseGroup group = new LeaseGroup("shop", "orders", shards);
        return IntStream.range(0, shards)
                .mapToObj(shard -> view(group, shard, null, null, 0, candidate))
                .toList();
    }

    /** The Leases of a number of shards that was in force before. */
    static List<ElectionView> retired(int shards) {
        LeaseGroup group = new LeaseGroup("shop", "orders", shards);
        return IntStream.range(0, shards)
                .mapToObj(shard -> view(
                        group,
                        shard,
                        Lease.builder(group.lease(shard)).retiredBy("17").build(),
                        null,
                        0))
                .toList();
    }

    /** A lease of the group {@code shop/jobs} that has a name of its own. */
    static ElectionView ofJobs(String lease, String leader, Instant renewed) {
        ObjectKey key = new ObjectKey("shop", lease);
        return view(
                LeaseGroup.named("shop", "jobs"),
                key,
                Lease.builder(key).holder(leader).build(),
                renewed,
                0);
    }

    private static ElectionView view(
            LeaseGroup group,
            int shard,
            @Nullable Lease lease,
            @Nullable Instant renewed,
            int moves,
            String... identities) {
        return view(group, group.lease(shard), lease, renewed, moves, identities);
    }

    private static ElectionView view(
            LeaseGroup group,
            ObjectKey key,
            @Nullable Lease lease,
            @Nullable Instant renewed,
            int moves,
            String... identities) {
        List<Candidate> candidates = Stream.of(identities)
                .map(identity -> Candidate.builder(new ObjectKey("shop", identity), group)
                        .strategy("Balanced")
                        .build())
                .toList();
        return new ElectionView(
                key,
                lease,
                new StrategyRule(Strategies.builtIn())
                        .choose(
                                lease,
                                Optional.empty(),
                                Optional.empty(),
                                candidates,
                                StrategyRule.Agreement.HIGHEST_PRECEDENCE),
                candidates.stream()
                        .map(candidate -> new Standing(candidate, Answer.ACKNOWLEDGED, null, null))
                        .toList(),
                null,
                null,
                List.of(),
                renewed,
                renewed == null ? null : renewed.plusSeconds(15),
                new ElectionView.Past(List.of(), List.of(), null, List.of(), Duration.ofSeconds(3), null, moves),
                false,
                group);
    }

    /** A coordinator that knows these leases. */
    static CoordinatorSnapshots snapshots(Supplier<Instant> now, List<ElectionView> views) {
        return new CoordinatorSnapshots() {

            @Override
            public CoordinatorSnapshot all() {
                return new CoordinatorSnapshot(now.get(), true, "me", List.of(), ElectionPolicy.DEFAULT, null, views);
            }

            @Override
            public CoordinatorSnapshot one(ObjectKey lease) {
                return all();
            }
        };
    }
}
