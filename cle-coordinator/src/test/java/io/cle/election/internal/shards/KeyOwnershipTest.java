package io.cle.election.internal.shards;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Rule: {@code safety.md#one-owner-of-each-key}. */
class KeyOwnershipTest {

    private static final ObjectKey KEY = new ObjectKey("shop", "orders");
    private static final LeaseGroup TWO = new LeaseGroup("shop", "orders", 2);
    private static final LeaseGroup THREE = new LeaseGroup("shop", "orders", 3);

    /** Families are numbers of shards; 0 is the lease without shards, -1 no family. */
    @ParameterizedTest(name = "candidates {0}, held {1}, formerly {2}: {3}")
    @CsvSource(delimiter = '|', textBlock = """
            ''             | ''    | 16 | -1
            16:1           | ''    | 0  | 16
            0:1            | ''    | 16 | 0
            8:3 16:1       | 16    | 16 | 16
            8:3            | 16    | 8  | 16
            0:1 16:5       | 0     | 16 | 0
            8:1 16:1       | 8 16  | 16 | -1
            16:1           | 0 16  | 16 | -1
            8:1 16:2       | ''    | 8  | 16
            0:1 16:2       | ''    | 0  | 16
            8:2 16:2       | ''    | 16 | 16
            8:2 16:2       | ''    | 8  | 8
            0:2 16:2       | ''    | 0  | 0
            8:2 16:2       | ''    | 4  | 8
            """)
    void theOwnerIsTheFamilyThatHoldsALeaseOrElseTheOneWithTheMostCandidates(
            String candidates, String held, int former, int owner) {
        TreeMap<Integer, Integer> counts = new TreeMap<>();
        words(candidates).forEach(family -> {
            String[] parts = family.split(":");
            counts.put(Integer.valueOf(parts[0]), Integer.valueOf(parts[1]));
        });
        Set<Integer> holders = Set.copyOf(words(held).map(Integer::valueOf).toList());
        assertThat(KeyOwnership.owner(counts, holders, former)).isEqualTo(owner);
    }

    @Test
    void theOwnerThatHoldsALeaseKeepsTheKey() {
        TreeMap<Integer, Integer> candidates = new TreeMap<>(Map.of(8, 3, 16, 1));
        assertThat(KeyOwnership.owner(candidates, Set.of(16), 8)).isEqualTo(16);
    }

    private static Stream<String> words(String text) {
        return text.isBlank() ? Stream.of() : Stream.of(text.trim().split(" "));
    }

    @Test
    void theLeaseThatIsNamedLikeTheKeyIsWrittenFirst() {
        assertThat(writes(2, open(THREE, 0))).singleElement().satisfies(write -> {
            assertThat(write.key()).isEqualTo(KEY);
            assertThat(write.owner()).isEqualTo("orders-2-*");
            assertThat(write.leaseDuration()).isEqualTo(Duration.ofSeconds(Integer.MAX_VALUE));
        });
    }

    @Test
    void aReleasedLeaseIsTakenOverByARecordThatCitesIt() {
        Lease released = Lease.builder(KEY).resourceVersion("4").managed(true).build();
        assertThat(writes(2, released)).singleElement().satisfies(write -> {
            assertThat(write.resourceVersion()).isEqualTo("4");
            assertThat(write.owner()).isEqualTo("orders-2-*");
            assertThat(write.term().ended().after()).isEqualTo("4");
        });
    }

    @Test
    void missingLeasesOfTheOwnerAreCreatedClosed() {
        assertThat(writes(2, named(2, "7"))).extracting(Lease::key).containsExactly(TWO.lease(0), TWO.lease(1));
        assertThat(writes(2, named(2, "7"))).allSatisfy(write -> {
            assertThat(write.closed()).isTrue();
            assertThat(write.retiredBy()).isEqualTo("7");
            assertThat(write.group()).isEqualTo("orders-2");
            assertThat(write.managed()).isTrue();
        });
    }

    @Test
    void leasesOfTheOwnerStayAsTheyAre() {
        assertThat(writes(2, named(2, "7"), open(TWO, 0), closed(TWO, 1, "3"))).isEmpty();
    }

    @Test
    void leasesOfOtherFamiliesAreClosedEachOnce() {
        assertThat(writes(
                        2,
                        named(2, "7"),
                        open(TWO, 0),
                        open(TWO, 1),
                        open(THREE, 0),
                        closed(THREE, 1, "3"),
                        closed(THREE, 2, "7")))
                .as("without the one that this version has already closed")
                .extracting(Lease::key)
                .containsExactlyInAnyOrder(THREE.lease(0), THREE.lease(1));
    }

    @Test
    void allShardsAreClosedBeforeTheLeaseWithoutShardsIsGranted() {
        assertThat(writes(KeyOwnership.PLAIN, named(2, "7"), open(TWO, 0)))
                .singleElement()
                .extracting(Lease::owner)
                .isEqualTo("orders-0-*");
        assertThat(writes(KeyOwnership.PLAIN, named(0, "8"), open(TWO, 0), closed(TWO, 1, "7")))
                .extracting(Lease::key)
                .containsExactlyInAnyOrder(TWO.lease(0), TWO.lease(1));
        assertThat(writes(KeyOwnership.PLAIN, named(0, "8"), closed(TWO, 0, "8"), closed(TWO, 1, "8")))
                .isEmpty();
    }

    @Test
    void aLeaseThatOnlyHasTheNameOfAShardIsLeftToItsApplication() {
        Lease free = Lease.builder(THREE.lease(0)).resourceVersion("1").build();
        Lease held =
                Lease.builder(THREE.lease(1)).resourceVersion("1").holder("x").build();
        assertThat(writes(2, named(2, "7"), open(TWO, 0), open(TWO, 1), free, held))
                .isEmpty();
    }

    @Test
    void aShardOfTheOwnerThatHasLostItsMarksIsClosedBeforeItIsGranted() {
        Lease bare = Lease.builder(TWO.lease(0)).resourceVersion("1").build();
        assertThat(writes(2, named(2, "7"), bare, open(TWO, 1)))
                .extracting(Lease::key)
                .containsExactly(TWO.lease(0));
    }

    @Test
    void aClosedLeaseIntoWhichAHolderIsWrittenIsClosedAgain() {
        Lease ofOwner = closed(TWO, 0, "7").toBuilder().holder("x").build();
        Lease ofOther = closed(THREE, 0, "7").toBuilder().holder("x").build();
        assertThat(writes(2, named(2, "7"), ofOwner, open(TWO, 1), ofOther))
                .extracting(Lease::key)
                .containsExactlyInAnyOrder(TWO.lease(0), THREE.lease(0));
    }

    private static List<Lease> writes(int owner, Lease... leases) {
        Map<ObjectKey, Lease> known = new HashMap<>();
        Stream.of(leases).forEach(lease -> known.put(lease.key(), lease));
        return KeyOwnership.writes(KEY, owner, known, Set.of());
    }

    private static Lease named(int owner, String version) {
        return Lease.builder(KEY)
                .resourceVersion(version)
                .owner(LeaseGroup.owner(KEY, owner))
                .managed(true)
                .build();
    }

    private static Lease open(LeaseGroup group, int shard) {
        return Lease.builder(group.lease(shard))
                .resourceVersion("2")
                .group(group.label())
                .managed(true)
                .build();
    }

    private static Lease closed(LeaseGroup group, int shard, String by) {
        return open(group, shard).toBuilder().owner("any-1-*").retiredBy(by).build();
    }
}
