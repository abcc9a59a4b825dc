package io.cle.coordinator;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.cle.ApiFormat;
import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ElectionView;
import io.cle.election.internal.ElectionView.Standing;
import io.cle.election.internal.StrategyChoice;
import io.cle.election.internal.StrategyRule;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.strategy.internal.Strategies;
import org.jspecify.annotations.Nullable;

/** Example views of the lease {@code shop/orders}, which has four shards and the candidates orders-a and orders-b. */
final class ShardViews {

    private static final LeaseGroup FOUR = new LeaseGroup("shop", "orders", 4);

    private ShardViews() {}

    static ElectionView led(int shards, int shard, String leader, Instant renewed) {
        LeaseGroup group = new LeaseGroup("shop", "orders", shards);
        Lease lease = Lease.builder(group.lease(shard)).holder(leader).build();
        return view(group, shard, lease, renewed, "orders-a", "orders-b");
    }

    static ElectionView moving(int shard, String leader, String next, Instant renewed) {
        Lease lease = Lease.builder(FOUR.lease(shard))
                .holder(leader)
                .endOfTerm(next, null)
                .build();
        return view(FOUR, shard, lease, renewed, "orders-a", "orders-b");
    }

    static ElectionView vacant(int shard) {
        return view(FOUR, shard, Lease.builder(FOUR.lease(shard)).build(), null, "orders-a", "orders-b");
    }

    /** Returns the Leases of a number of shards that isn't effective. */
    static List<ElectionView> waiting(int shards, String candidate) {
        LeaseGroup group = new LeaseGroup("shop", "orders", shards);
        return IntStream.range(0, shards)
                .mapToObj(shard -> view(group, shard, null, null, candidate))
                .toList();
    }

    /** Returns the Leases of a number of shards that was effective before. */
    static List<ElectionView> retired(int shards) {
        LeaseGroup group = new LeaseGroup("shop", "orders", shards);
        return IntStream.range(0, shards)
                .mapToObj(shard -> view(
                        group,
                        shard,
                        Lease.builder(group.lease(shard)).retiredBy("17").build(),
                        null))
                .toList();
    }

    private static ElectionView view(
            LeaseGroup group, int shard, @Nullable Lease lease, @Nullable Instant renewed, String... identities) {
        List<Candidate> candidates = Stream.of(identities)
                .map(identity -> Candidate.builder(new ObjectKey("shop", identity), group)
                        .strategy("Balanced")
                        .build())
                .toList();
        return new ElectionView(
                group.lease(shard),
                lease,
                choice(lease, candidates),
                candidates.stream()
                        .map(candidate -> new Standing(candidate, Answer.ACKNOWLEDGED, null, null))
                        .toList(),
                List.of(),
                renewed,
                renewed == null ? null : renewed.plusSeconds(15),
                new ElectionView.Past(List.of(), List.of(), null, Duration.ofSeconds(3), null),
                group);
    }

    /** Returns the strategy of a lease that neither a configuration nor the coordinator's properties name. */
    static StrategyChoice choice(@Nullable Lease lease, List<Candidate> candidates) {
        return new StrategyRule(Strategies.builtIn())
                .choose(lease, Optional.empty(), Optional.empty(), candidates, ApiFormat.CRD);
    }
}
