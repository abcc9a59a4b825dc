package io.cle.election.internal.shards;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.cle.election.internal.shards.ShardAssignment.Part;
import io.cle.model.LeaseGroup;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Rule: {@code protocol.md#even-shards}. */
class ShardAssignmentTest {

    /** Larger groups, of which there are many more, with {@code -Pthorough}. */
    private static final boolean THOROUGH = Boolean.getBoolean("cle.thorough");

    /** The number of random groups; a group's index is its seed, which a failure names. */
    private static final int GROUPS = 400;

    private static final LeaseGroup SHARDS = new LeaseGroup("shop", "orders", LeaseGroup.MOST_SHARDS);

    /** A lease by its number, and the candidates that can't lead it. */
    private record Shard(int number, @Nullable String leader, boolean moving, boolean pinned, Set<String> withdrawn) {

        Part of(Collection<String> candidates) {
            Set<String> able = new HashSet<>(candidates);
            able.removeAll(withdrawn);
            return new Part(SHARDS.lease(number), leader, moving, pinned, able);
        }
    }

    private static Map<Integer, String> assign(
            String group, Collection<String> candidates, Collection<Shard> shards, boolean mayMove) {
        Map<Integer, String> assigned = new TreeMap<>();
        ShardAssignment.of(
                        group,
                        shards.stream().map(shard -> shard.of(candidates)).toList(),
                        mayMove)
                .forEach(
                        (lease, candidate) -> assigned.put(SHARDS.indexOf(lease).orElseThrow(), candidate));
        return assigned;
    }

    private record Group(int seed, List<String> candidates, List<Shard> parts) {

        /** Creates a group of up to 60 leases, led by candidates that stay, by some that have gone, or by none. */
        static Group random(int seed) {
            Random random = new Random(seed);
            List<String> candidates = IntStream.range(0, 1 + random.nextInt(12))
                    .mapToObj(i -> "orders-" + i)
                    .toList();
            List<String> leaders = new ArrayList<>(candidates);
            leaders.add("gone-1");
            leaders.add("gone-2");
            int uneven = 1 + random.nextInt(leaders.size());
            List<Shard> parts = IntStream.range(0, 1 + random.nextInt(60))
                    .mapToObj(shard -> led(shard, random.nextInt(4) == 0 ? null : leaders.get(random.nextInt(uneven))))
                    .toList();
            return new Group(seed, candidates, parts);
        }

        Map<Integer, String> assigned(boolean mayMove) {
            return assign("orders", candidates, parts, mayMove);
        }

        Group after(Map<Integer, String> assigned) {
            return new Group(
                    seed,
                    candidates,
                    parts.stream()
                            .map(part -> led(part.number(), assigned.get(part.number())))
                            .toList());
        }

        /** The number of leases that must move from candidates that stay; some that lead the most may keep one more than others. */
        int fewestMoves() {
            int each = parts.size() / candidates.size();
            int oneMore = parts.size() % candidates.size();
            List<Integer> led = candidates.stream()
                    .map(candidate -> (int) parts.stream()
                            .filter(part -> candidate.equals(part.leader()))
                            .count())
                    .sorted(Comparator.reverseOrder())
                    .toList();
            int moves = 0;
            for (int i = 0; i < led.size(); i++) {
                moves += Math.max(0, led.get(i) - each - (i < oneMore ? 1 : 0));
            }
            return moves;
        }

        long moves(Map<Integer, String> assigned) {
            return parts.stream()
                    .filter(part -> candidates.contains(Objects.requireNonNullElse(part.leader(), "")))
                    .filter(part -> !Objects.equals(part.leader(), assigned.get(part.number())))
                    .count();
        }
    }

    private static Shard led(int shard, @Nullable String leader) {
        return new Shard(shard, leader, false, false, Set.of());
    }

    private static Collection<Integer> counts(List<String> candidates, Map<Integer, String> assigned) {
        Map<String, Integer> counts = new HashMap<>();
        candidates.forEach(candidate -> counts.put(candidate, 0));
        assigned.values().forEach(candidate -> counts.merge(candidate, 1, Integer::sum));
        return counts.values();
    }

    private static int difference(List<String> candidates, Map<Integer, String> assigned) {
        Collection<Integer> counts = counts(candidates, assigned);
        return Collections.max(counts) - Collections.min(counts);
    }

    @Test
    void everyLeaseIsAssignedAndCountsDifferByAtMostOne() {
        for (int seed = 0; seed < GROUPS; seed++) {
            Group group = Group.random(seed);
            Map<Integer, String> assigned = group.assigned(true);
            assertThat(assigned).as("%s", group).hasSameSizeAs(group.parts());
            assertThat(difference(group.candidates(), assigned)).as("%s", group).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void noMoreLeasesMoveThanBalanceDemands() {
        for (int seed = 0; seed < GROUPS; seed++) {
            Group group = Group.random(seed);
            assertThat(group.moves(group.assigned(true))).as("%s", group).isEqualTo(group.fewestMoves());
        }
    }

    @Test
    void theOrderOfTheInputDoesNotMatter() {
        for (int seed = 0; seed < GROUPS; seed++) {
            Group group = Group.random(seed);
            List<String> candidates = new ArrayList<>(group.candidates());
            List<Shard> parts = new ArrayList<>(group.parts());
            Collections.shuffle(candidates, new Random(seed));
            Collections.shuffle(parts, new Random(seed));
            assertThat(assign("orders", candidates, parts, true))
                    .as("%s", group)
                    .isEqualTo(group.assigned(true));
        }
    }

    @Test
    void nothingMovesOnceAllLeasesAreLedAsTheyWereAssigned() {
        for (int seed = 0; seed < GROUPS; seed++) {
            Group group = Group.random(seed);
            Map<Integer, String> assigned = group.assigned(true);
            assertThat(group.after(assigned).assigned(true)).as("%s", group).isEqualTo(assigned);
        }
    }

    @Test
    void aSuccessorThatFindsAPartOfTheMovesDoneNeedsOnlyTheRest() {
        for (int seed = 0; seed < GROUPS; seed++) {
            Group group = Group.random(seed);
            Random random = new Random(seed);
            Map<Integer, String> partly = new TreeMap<>(group.assigned(true));
            group.parts().stream().filter(part -> random.nextBoolean()).forEach(part -> {
                if (part.leader() == null) {
                    partly.remove(part.number());
                } else {
                    partly.put(part.number(), part.leader());
                }
            });
            Group rest = group.after(partly);
            assertThat(group.moves(partly) + rest.moves(rest.assigned(true)))
                    .as("%s", group)
                    .isEqualTo(group.fewestMoves());
        }
    }

    @Test
    void noLeaseMovesWhileNoneMayMove() {
        for (int seed = 0; seed < GROUPS; seed++) {
            Group group = Group.random(seed);
            assertThat(group.moves(group.assigned(false))).as("%s", group).isZero();
        }
    }

    @Test
    void aJoinMovesLeasesToTheNewCandidateOnly() {
        List<Shard> parts = IntStream.range(0, 16)
                .mapToObj(shard -> led(shard, shard < 8 ? "a" : "b"))
                .toList();
        Map<Integer, String> assigned = assign("orders", List.of("a", "b", "c"), parts, true);
        assertThat(parts.stream().filter(part -> !assigned.get(part.number()).equals(part.leader())))
                .hasSize(5)
                .allMatch(part -> assigned.get(part.number()).equals("c"));
    }

    @Test
    void aLeaveMovesTheLeasesOfTheOneThatLeftOnly() {
        List<Shard> parts = IntStream.range(0, 16)
                .mapToObj(shard -> led(shard, List.of("a", "b", "c", "d").get(shard % 4)))
                .toList();
        Map<Integer, String> assigned = assign("orders", List.of("a", "b", "c"), parts, true);
        assertThat(parts.stream().filter(part -> !assigned.get(part.number()).equals(part.leader())))
                .allMatch(part -> part.leader().equals("d"));
        assertThat(difference(List.of("a", "b", "c"), assigned)).isEqualTo(1);
    }

    @Test
    void aPinnedLeaseIsNotAssignedAndCountsForItsLeader() {
        List<Shard> parts = IntStream.range(0, 8)
                .mapToObj(shard -> new Shard(shard, shard < 3 ? "a" : null, false, shard < 3, Set.of()))
                .toList();
        Map<Integer, String> assigned = assign("orders", List.of("a", "b"), parts, true);
        assertThat(assigned).doesNotContainKeys(0, 1, 2);
        assertThat(assigned.values().stream().filter("a"::equals)).hasSize(1);
        assertThat(assigned.values().stream().filter("b"::equals)).hasSize(4);
    }

    @Test
    void aLeaseGoesToNoCandidateThatHasWithdrawnFromIt() {
        List<Shard> parts = List.of(
                new Shard(0, "a", false, false, Set.of("a")),
                led(1, "a"),
                led(2, "b"),
                new Shard(3, "b", false, false, Set.of("a")));
        Map<Integer, String> assigned = assign("orders", List.of("a", "b"), parts, true);
        assertThat(assigned).containsEntry(0, "b").containsEntry(3, "b");
        assertThat(difference(List.of("a", "b"), assigned)).isZero();
    }

    @Test
    void aLeaseThatNoCandidateCanLeadIsLeftOut() {
        assertThat(assign(
                        "orders",
                        List.of("a"),
                        List.of(new Shard(0, null, false, false, Set.of("a")), led(1, null)),
                        true))
                .containsExactly(Map.entry(1, "a"));
        assertThat(assign("orders", List.of(), List.of(led(0, "a")), true)).isEmpty();
    }

    private static final List<String> NAMES = Arrays.asList("a", "b", "c", "d");

    /** The candidates that can lead a lease, as bits, and its leader, -1 for none, as an index of {@link #NAMES}. */
    private record Kind(int mayLead, int leader) {

        static List<Kind> all(int candidates) {
            return IntStream.range(0, 1 << candidates)
                    .boxed()
                    .flatMap(mayLead -> IntStream.range(-1, candidates)
                            .filter(leader -> leader == -1 || (mayLead & 1 << leader) != 0)
                            .mapToObj(leader -> new Kind(mayLead, leader)))
                    .toList();
        }

        Shard part(int shard, int candidates) {
            return new Shard(
                    shard,
                    leader == -1 ? null : NAMES.get(leader),
                    false,
                    false,
                    IntStream.range(0, candidates)
                            .filter(candidate -> (mayLead & 1 << candidate) == 0)
                            .mapToObj(NAMES::get)
                            .collect(Collectors.toSet()));
        }
    }

    /** Calls back with every group of this size, regardless of the order of its leases. */
    private static void forEachGroup(int candidates, int leases, Consumer<List<Kind>> group) {
        addLeases(Kind.all(candidates), 0, leases, new ArrayList<>(), group);
    }

    private static void addLeases(List<Kind> kinds, int from, int left, List<Kind> group, Consumer<List<Kind>> then) {
        if (left == 0) {
            then.accept(group);
            return;
        }
        for (int kind = from; kind < kinds.size(); kind++) {
            group.add(kinds.get(kind));
            addLeases(kinds, kind, left - 1, group, then);
            group.remove(group.size() - 1);
        }
    }

    /** Asserts that every lease that can be led is, and that no move would make two counts more even. */
    private static void assertNoMoveImproves(List<Kind> group, int candidates) {
        List<Shard> parts = new ArrayList<>();
        for (int i = 0; i < group.size(); i++) {
            parts.add(group.get(i).part(i, candidates));
        }
        List<String> names = NAMES.subList(0, candidates);
        assertNoMoveImproves(group, names, assign("orders", names, parts, true));
    }

    private static void assertNoMoveImproves(List<Kind> group, List<String> names, Map<Integer, String> assigned) {
        int[] counts = new int[names.size()];
        assigned.values().forEach(candidate -> counts[names.indexOf(candidate)]++);
        for (int i = 0; i < group.size(); i++) {
            Kind lease = group.get(i);
            int leader = names.indexOf(assigned.get(i));
            boolean led = leader == -1 ? lease.mayLead() == 0 : (lease.mayLead() & 1 << leader) != 0;
            boolean improvable = leader != -1
                    && IntStream.range(0, names.size())
                            .anyMatch(candidate ->
                                    (lease.mayLead() & 1 << candidate) != 0 && counts[leader] - counts[candidate] > 1);
            if (!led || improvable) {
                throw new AssertionError(group + " is assigned as " + assigned);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 5, 5", "2, 5, 5", "3, 4, 5", "4, 3, 4"})
    void noMoveMakesSmallGroupsMoreEvenWhoeverCanLeadEachLease(int candidates, int most, int mostThorough) {
        for (int leases = 0; leases <= (THOROUGH ? mostThorough : most); leases++) {
            forEachGroup(candidates, leases, group -> assertNoMoveImproves(group, candidates));
        }
    }

    @Test
    void aLeaseThatOnlySomeCanLeadMovesToOneOfThese() {
        List<Shard> parts = List.of(
                led(0, "a"),
                led(1, "a"),
                new Shard(2, "a", false, false, Set.of("b")),
                new Shard(3, "a", false, false, Set.of("b")));
        Map<Integer, String> assigned = assign("orders", List.of("a", "b", "c"), parts, true);
        assertThat(difference(List.of("a", "b", "c"), assigned)).isEqualTo(1);
        assertThat(assigned.get(2)).isNotEqualTo("b");
        assertThat(assigned.get(3)).isNotEqualTo("b");
    }

    @Test
    void theCandidateWithOneLeaseMoreIsNotTheSameInEveryGroup() {
        List<String> candidates = List.of("orders-a", "orders-b", "orders-c");
        List<Shard> parts =
                IntStream.range(0, 4).mapToObj(shard -> led(shard, null)).toList();
        Map<String, Integer> totals = new HashMap<>();
        for (int group = 0; group < 300; group++) {
            assign("group-" + group, candidates, parts, true)
                    .values()
                    .forEach(candidate -> totals.merge(candidate, 1, Integer::sum));
        }
        assertThat(totals.values()).hasSize(3).allMatch(total -> total > 375 && total < 425);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "99, 1"})
    void aLargeGroupIsAssignedWithinMilliseconds(int leaders, int first) {
        List<String> candidates =
                IntStream.range(0, 100).mapToObj(i -> "orders-" + i).toList();
        List<Shard> parts = IntStream.range(0, 1000)
                .mapToObj(shard -> led(shard, leaders == 0 ? null : candidates.get(first + shard % leaders)))
                .toList();
        long fastest = Long.MAX_VALUE;
        for (int run = 0; run < 50; run++) {
            List<Part> leases = parts.stream().map(part -> part.of(candidates)).toList();
            long begun = System.nanoTime();
            ShardAssignment.of("orders", leases, true);
            fastest = Math.min(fastest, System.nanoTime() - begun);
        }
        assertThat(Duration.ofNanos(fastest)).isLessThan(Duration.ofMillis(50));
    }

    @Test
    void aHandOverThatIsUnderWayIsNotTakenBackForBalance() {
        List<Shard> parts = List.of(
                new Shard(0, "a", true, false, Set.of()), new Shard(1, "a", true, false, Set.of("b")), led(2, "a"));
        assertThat(assign("orders", List.of("a", "b", "c"), parts, true))
                .containsEntry(0, "a")
                .containsEntry(1, "a");
    }
}
