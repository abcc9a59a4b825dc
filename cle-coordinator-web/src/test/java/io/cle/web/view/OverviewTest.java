package io.cle.web.view;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ElectionView;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.groups.Tuple.tuple;

class OverviewTest {

    private static final ElectionView LED = Snapshots.lease("shop", "orders")
            .candidate("orders-a", "1.0.0")
            .ledBy("orders-a", Duration.ofMinutes(3))
            .build();
    private static final ElectionView VACANT =
            Snapshots.lease("shop", "invoices").build();
    private static final ElectionView WARNED = Snapshots.lease("billing", "reports")
            .candidate("reports-a", "2.0.0")
            .ledBy("reports-a", Duration.ofHours(1))
            .problem("a malformed object")
            .build();

    private static Overview overview(String url) {
        return Overview.of(Snapshots.of(LED, VACANT, WARNED), query(url));
    }

    /** Reads {@code name=value name=value}. */
    private static OverviewQuery query(String url) {
        Map<String, String> values = new HashMap<>();
        for (String pair : url.isEmpty() ? new String[0] : url.split(" ")) {
            values.put(pair.split("=")[0], pair.split("=")[1]);
        }
        return OverviewQuery.of(values);
    }

    private static List<String> names(Overview overview) {
        return overview.rows().stream().map(LeaseRow::name).toList();
    }

    @Test
    void countsTheStatesOfAllLeasesWhateverIsFiltered() {
        assertThat(overview("namespace=billing").states())
                .containsEntry(LeaseRow.State.LED, 1)
                .containsEntry(LeaseRow.State.NO_LEADER, 1)
                .containsEntry(LeaseRow.State.WARNING, 1)
                .doesNotContainKey(LeaseRow.State.ELECTING);
        assertThat(overview("").count(LeaseRow.State.ELECTING)).isZero();
    }

    private static Overview of(int leases, IntFunction<Snapshots.Builder> lease, String url) {
        return Overview.of(
                Snapshots.at(
                        Snapshots.NOW,
                        IntStream.range(0, leases)
                                .mapToObj(i -> lease.apply(i).build())
                                .toList()),
                query(url));
    }

    @Nested
    class Problems {

        @Test
        void problemsSayWhatIsWrongAndWhatIsWaitedFor() {
            assertThat(overview("").problems())
                    .extracting(line -> line.first().name(), Overview.ProblemLine::state, Overview.ProblemLine::text)
                    .containsExactly(
                            tuple("invoices", LeaseRow.State.NO_LEADER, "waiting for a candidate: there is none"),
                            tuple("reports", LeaseRow.State.WARNING, "a malformed object"));
            assertThat(overview("").troubled()).isEqualTo(2);
        }

        @Test
        void problemsAreOneLineIfTheyDifferOnlyInNamesAndNumbers() {
            Overview overview = of(
                    3,
                    i -> Snapshots.lease("shop", "lease-" + i)
                            .candidate("leader", "1.0.0")
                            .ledBy("leader", Duration.ofMinutes(1))
                            .problem("LeaseCandidate shop/x-" + i + ": its clock is " + (i + 20) + " s behind"),
                    "");

            assertThat(overview.problems())
                    .extracting(Overview.ProblemLine::text, Overview.ProblemLine::leases)
                    .containsExactly(tuple("LeaseCandidate …: its clock is … s behind", 3));
        }

        @Test
        void problemsAreOneLineIfCandidatesWhoseNamesLookLikeWordsDoNotAcknowledge() {
            Overview overview = of(
                    2,
                    i -> Snapshots.lease("shop", i == 0 ? "a" : "b")
                            .candidate(
                                    Snapshots.candidate(
                                            new ObjectKey("shop", "any"), i == 0 ? "worker" : "helper", "1.0.0"),
                                    Answer.SILENT)
                            .ledBy("leader", Duration.ofMinutes(1)),
                    "");

            assertThat(overview.problems())
                    .extracting(Overview.ProblemLine::text, Overview.ProblemLine::leases)
                    .containsExactly(tuple("a candidate does not acknowledge, and is ignored until it renews", 2));
        }

        @Test
        void problemsCountALeaseOnceThatHasTwoOfAKind() {
            Overview overview = of(
                    1,
                    i -> Snapshots.lease("shop", "orders")
                            .ledBy("leader", Duration.ofMinutes(1))
                            .problem("the first of 2")
                            .problem("the first of 3"),
                    "");

            assertThat(overview.problems())
                    .extracting(Overview.ProblemLine::text, Overview.ProblemLine::leases)
                    .containsExactly(tuple("the first of …", 1));
        }

        @Test
        void problemsBeginWithMissingLeadersAndThenTheMostFrequent() {
            Overview overview = of(
                    6,
                    i -> i == 0
                            ? Snapshots.lease("shop", "vacant")
                            : Snapshots.lease("shop", "lease-" + i)
                                    .ledBy("leader", Duration.ofMinutes(1))
                                    .problem(i == 1 ? "a rare one" : "the usual one"),
                    "");

            assertThat(overview.problems())
                    .extracting(Overview.ProblemLine::leases, Overview.ProblemLine::text)
                    .containsExactly(
                            tuple(1, "waiting for a candidate: there is none"),
                            tuple(4, "the usual one"),
                            tuple(1, "a rare one"));
        }

        @Test
        void problemsSaySinceWhenTheOneThatHasWaitedLongestHasNoLeader() {
            Overview overview = of(
                    3,
                    i -> Snapshots.lease("shop", "lease-" + i).decided(Duration.ofMinutes(i + 1L), "no candidate"),
                    "");

            assertThat(overview.problems())
                    .extracting(Overview.ProblemLine::since)
                    .containsExactly(Snapshots.NOW.minus(Duration.ofMinutes(3)));
        }

        @Test
        void problemsBeyondALimitAreCounted() {
            Overview overview = of(
                    20,
                    i -> Snapshots.lease("shop", "lease-" + i)
                            .ledBy("leader", Duration.ofMinutes(1))
                            .problem("kind " + (char) ('a' + i)),
                    "");

            assertThat(overview.problems()).hasSize(Overview.LONGEST_PROBLEMS);
            assertThat(overview.furtherProblems()).isEqualTo(20 - Overview.LONGEST_PROBLEMS);
        }

        @Test
        void problemsLeadToTheLeasesThatHaveThem() {
            Overview.ProblemLine line = overview("").problems().get(1);

            assertThat(line.url()).isEqualTo("?problem=a+malformed+object");
            assertThat(Overview.of(Snapshots.of(LED, VACANT, WARNED), OverviewQuery.ALL.having(line.kind()))
                            .rows())
                    .extracting(LeaseRow::name)
                    .containsExactly("reports");
        }

        @Test
        void problemsLeadToTheLeasesThatHaveThemHoweverLongTheyAre() {
            Overview overview = of(
                    2,
                    i -> Snapshots.lease("shop", "lease-" + i)
                            .ledBy("leader", Duration.ofMinutes(1))
                            .problem("long ".repeat(1000)),
                    "");
            OverviewQuery having =
                    OverviewQuery.ALL.having(overview.problems().get(0).kind());

            assertThat(having.matches(overview.rows().get(0), LED)).isTrue();
        }
    }

    @Nested
    class Namespaces {

        private Overview many(String url) {
            return of(
                    200,
                    i -> {
                        Snapshots.Builder lease = Snapshots.lease("team-" + i % 8, "lease-" + i);
                        return i == 5 ? lease : lease.ledBy("leader-" + i, Duration.ofSeconds(i));
                    },
                    url);
        }

        @Test
        void namespacesAreTheLinesOfManyLeasesWorstFirst() {
            Overview overview = many("");

            assertThat(overview.rows()).isEmpty();
            assertThat(overview.namespaces())
                    .extracting(Overview.NamespaceLine::name, Overview.NamespaceLine::leases)
                    .startsWith(tuple("team-5", 25), tuple("team-0", 25), tuple("team-1", 25))
                    .hasSize(8);
            assertThat(overview.namespaces().get(0).states())
                    .containsExactly(entry(LeaseRow.State.NO_LEADER, 1), entry(LeaseRow.State.LED, 24));
        }

        @Test
        void namespacesAreNotTheLinesOfLeasesThatFitOnAPage() {
            assertThat(overview("").namespaces()).isEmpty();
            assertThat(many("namespace=team-5").rows()).hasSize(25);
            assertThat(many("q=leader-199").rows()).hasSize(1);
        }

        @Test
        void namespacesAreTheLinesIfAskedForAndNotIfLeasesAre() {
            assertThat(overview("by=namespace").namespaces())
                    .extracting(Overview.NamespaceLine::name)
                    .containsExactly("shop", "billing");
            assertThat(many("by=lease").rows()).hasSize(Overview.PAGE_SIZE);
            assertThat(many("sort=since").rows()).hasSize(Overview.PAGE_SIZE);
        }

        @Test
        void namespacesCountTheLeasesThatMatchOnly() {
            assertThat(many("state=led").namespaces().get(0).leases()).isEqualTo(25);
            assertThat(many("state=led").namespaces())
                    .filteredOn(line -> line.name().equals("team-5"))
                    .extracting(Overview.NamespaceLine::leases)
                    .containsExactly(24);
        }

        @Test
        void namespacesFillPagesAsLeasesDo() {
            Overview overview = of(5000, i -> Snapshots.lease("team-" + i % 120, "lease-" + i), "page=3");

            assertThat(overview.pages()).isEqualTo(3);
            assertThat(overview.namespaces()).hasSize(20);
        }

        @Test
        void namespacesDoNotStandForTheLeasesOfASingleOne() {
            assertThat(of(100, i -> Snapshots.lease("shop", "lease-" + i), "").rows())
                    .hasSize(Overview.PAGE_SIZE);
        }
    }

    @Nested
    class Order {

        @Test
        void theOrderBeginsWithWhatIsWrong() {
            assertThat(names(overview(""))).containsExactly("invoices", "reports", "orders");
        }

        @Test
        void theOrderIsByLeaseIfAskedFor() {
            assertThat(names(overview("sort=lease"))).containsExactly("reports", "invoices", "orders");
            assertThat(names(overview("sort=lease order=desc"))).containsExactly("orders", "invoices", "reports");
        }

        @Test
        void theOrderEndsWithLeasesWithoutALeaderIfItIsByLeader() {
            assertThat(names(overview("sort=leader"))).containsExactly("orders", "reports", "invoices");
        }
    }

    @Nested
    class Filter {

        @Test
        void theFilterIsByNamespace() {
            assertThat(names(overview("namespace=shop sort=lease"))).containsExactly("invoices", "orders");
        }

        @Test
        void theFilterIsByState() {
            assertThat(names(overview("state=warning"))).containsExactly("reports");
        }

        @Test
        void theFilterIsByLeadersAndVersionsInUpperOrLowerCase() {
            assertThat(names(overview("q=ORDERS-A"))).containsExactly("orders");
            assertThat(names(overview("q=2.0.0"))).containsExactly("reports");
        }

        @Test
        void theFilterSearchesBeyondThePageThatIsShown() {
            List<ElectionView> many = IntStream.range(0, 230)
                    .mapToObj(i -> Snapshots.lease("shop", "lease-" + i)
                            .candidate("leader-" + i, "1.0.0")
                            .ledBy("leader-" + i, Duration.ofSeconds(i))
                            .build())
                    .toList();

            Overview first = Overview.of(Snapshots.at(Snapshots.NOW, many), OverviewQuery.ALL);
            Overview last = Overview.of(Snapshots.at(Snapshots.NOW, many), query("page=9"));
            Overview found = Overview.of(Snapshots.at(Snapshots.NOW, many), query("q=leader-229"));

            assertThat(first.rows()).hasSize(Overview.PAGE_SIZE);
            assertThat(first.pages()).isEqualTo(5);
            assertThat(last.query().page()).isEqualTo(5);
            assertThat(last.rows()).hasSize(30);
            assertThat(names(found)).containsExactly("lease-229");
        }
    }

    @Nested
    class Query {

        @Test
        void theQueryIsTreatedAsAbsentWhereItIsMalformed() {
            assertThat(query("state=nonsense by=nonsense sort=nonsense page=-1"))
                    .isEqualTo(OverviewQuery.ALL);
        }

        @Test
        void theQueryIsKeptInTheUrl() {
            assertThat(query("q=a&b namespace=shop state=led problem=x by=lease sort=since order=desc page=3")
                            .url())
                    .isEqualTo("?q=a%26b&namespace=shop&state=led&problem=x&by=lease&sort=since&order=desc&page=3");
            assertThat(OverviewQuery.ALL.url()).isEmpty();
        }
    }

    @Nested
    class Links {

        private final OverviewQuery query = query("q=a namespace=shop sort=since page=3");

        @Test
        void linksBeginOnTheFirstPageAndKeepEverythingElse() {
            assertThat(query.inState(LeaseRow.State.LED).url()).isEqualTo("?q=a&namespace=shop&state=led&sort=since");
            assertThat(query.in("billing").url()).isEqualTo("?q=a&namespace=billing&sort=since");
            assertThat(query.byNamespace().url()).isEqualTo("?q=a&namespace=shop&by=namespace&sort=since");
            assertThat(query.onPage(4).url()).isEqualTo("?q=a&namespace=shop&sort=since&page=4");
        }

        @Test
        void linksTurnBackWhatIsSetAlready() {
            assertThat(query("state=led").inState(LeaseRow.State.LED).url()).isEmpty();
            assertThat(query.sortedBy(OverviewQuery.Sort.SINCE).url())
                    .isEqualTo("?q=a&namespace=shop&sort=since&order=desc");
            assertThat(query.sortedBy(OverviewQuery.Sort.SINCE).sortedBy(OverviewQuery.Sort.SINCE))
                    .isEqualTo(query.onPage(1));
        }
    }

    @Nested
    class LaterOverview {

        @Test
        void laterOverviewEqualsTheFormerOneWhileOnlyTimePasses() {
            CoordinatorSnapshot later = Snapshots.at(Snapshots.NOW.plusSeconds(2), List.of(LED, VACANT, WARNED));

            assertThat(Overview.of(later, OverviewQuery.ALL)).isEqualTo(overview(""));
        }

        @Test
        void laterOverviewDiffersOnceALeaderHasChanged() {
            ElectionView changed = Snapshots.lease("shop", "orders")
                    .candidate("orders-b", "1.0.0")
                    .ledBy("orders-b", Duration.ZERO)
                    .build();

            assertThat(Overview.of(Snapshots.of(changed, VACANT, WARNED), OverviewQuery.ALL))
                    .isNotEqualTo(overview(""));
        }
    }

    @Nested
    class Groups {

        private static final LeaseGroup FOUR = new LeaseGroup("shop", "orders", 4);
        private static final LeaseGroup EIGHT = new LeaseGroup("shop", "orders", 8);

        private final List<ElectionView> leases = new ArrayList<>();

        private Snapshots.Builder shard(LeaseGroup group, int index) {
            return Snapshots.lease("shop", group.lease(index).name())
                    .inGroup(group, 1)
                    .candidate(Snapshots.candidate(group, "orders-a", "1.0.0"), Answer.ACKNOWLEDGED)
                    .candidate(Snapshots.candidate(group, "orders-b", "1.0.0"), Answer.ACKNOWLEDGED);
        }

        private void fourShardsAndALease() {
            for (int i = 0; i < 4; i++) {
                leases.add(shard(FOUR, i)
                        .ledBy(i < 2 ? "orders-a" : "orders-b", Duration.ofMinutes(1))
                        .build());
            }
            leases.add(Snapshots.lease("shop", "reports")
                    .candidate("r", "1.0.0")
                    .ledBy("r", Duration.ofMinutes(1))
                    .build());
        }

        private Overview overview(String url) {
            return Overview.of(Snapshots.at(Snapshots.NOW, leases), query(url));
        }

        @Test
        void groupsHaveOneRowInsteadOfOneForEachShard() {
            fourShardsAndALease();

            assertThat(names(overview(""))).containsExactly("reports");
            assertThat(overview("").groups()).hasSize(1);
            GroupRow group = overview("").groups().get(0);
            assertThat(group.state()).isEqualTo(LeaseRow.State.LED);
            assertThat(group.cells()).extracting(GroupRow.Cell::mark).containsExactly("A", "A", "B", "B");
            assertThat(group.leaders())
                    .extracting(GroupRow.Leader::identity, GroupRow.Leader::leases)
                    .containsExactly(tuple("a", 2), tuple("b", 2));
            assertThat(group.description())
                    .isEqualTo("4 shards of orders: 4 led, 2 by a, 2 by b; 0 moving; 0 without a leader");
            assertThat(group.moves()).isEqualTo(4);
            assertThat(overview("").total()).isEqualTo(5);
            assertThat(overview("").matching()).isEqualTo(5);
            assertThat(overview("").count(LeaseRow.State.LED)).isEqualTo(5);
        }

        @Test
        void leasesOfAGroupWithNamesOfTheirOwnHaveARowEachAsWell() {
            LeaseGroup jobs = LeaseGroup.named("shop", "jobs");
            Map.of("billing", "jobs-a", "reports", "jobs-b")
                    .forEach((lease, leader) -> leases.add(Snapshots.lease("shop", lease)
                            .inGroup(jobs, 1)
                            .ledBy(leader, Duration.ofMinutes(1))
                            .build()));

            GroupRow group = overview("").groups().get(0);
            assertThat(group.description())
                    .isEqualTo("2 leases of jobs: 2 led, 1 by a, 1 by b; 0 moving; 0 without a leader");
            assertThat(group.cells())
                    .extracting(GroupRow.Cell::title)
                    .containsExactly("billing: jobs-a", "reports: jobs-b");
            assertThat(names(overview(""))).containsExactlyInAnyOrder("billing", "reports");
            assertThat(names(overview("q=billing"))).containsExactly("billing");
            assertThat(overview("q=billing").groups()).hasSize(1);
        }

        @Test
        void groupsAreExpandedToTheirLeasesByTheQuery() {
            fourShardsAndALease();

            String url = overview("").groups().get(0).url().substring(1);
            assertThat(url).isEqualTo("group=shop%2Forders");
            Overview expanded = overview("group=shop/orders");
            assertThat(names(expanded)).containsExactly("orders-4-0", "orders-4-1", "orders-4-2", "orders-4-3");
            assertThat(expanded.groups()).hasSize(1);
        }

        @Test
        void shardsAreListedByTheirNumber() {
            LeaseGroup twelve = new LeaseGroup("shop", "orders", 12);
            for (int i = 0; i < 12; i++) {
                leases.add(shard(twelve, i)
                        .ledBy("orders-a", Duration.ofMinutes(1))
                        .build());
            }

            List<LeaseRow> rows = overview("group=shop/orders").rows();
            assertThat(rows)
                    .extracting(LeaseRow::name)
                    .startsWith("orders-12-0", "orders-12-1", "orders-12-2")
                    .endsWith("orders-12-11");
            assertThat(names(overview("group=shop/orders sort=lease order=desc")))
                    .startsWith("orders-12-11", "orders-12-10", "orders-12-9");
            assertThat(rows.get(0).withoutName("orders-a")).isEqualTo("a");
        }

        @Test
        void groupsAreFoundByAShardThatMatches() {
            fourShardsAndALease();
            leases.set(3, shard(FOUR, 3).knownFor(Duration.ofHours(1)).build());

            assertThat(overview("state=no-leader").groups()).hasSize(1);
            assertThat(overview("state=no-leader").matching()).isEqualTo(1);
            assertThat(overview("state=warning").groups()).isEmpty();
            assertThat(overview("q=reports").groups()).isEmpty();
            assertThat(names(overview("group=shop/orders state=no-leader"))).containsExactly("orders-4-3");
            GroupRow group = overview("").groups().get(0);
            assertThat(group.state()).isEqualTo(LeaseRow.State.NO_LEADER);
            assertThat(group.cells().get(3)).isEqualTo(new GroupRow.Cell("vacant", "–", "3: no leader"));
        }

        @Test
        void groupsSayWhichNumberOfShardsWaitsInsteadOfOneWarningForEachOfItsLeases() {
            fourShardsAndALease();
            for (int i = 0; i < 8; i++) {
                leases.add(shard(EIGHT, i).knownFor(Duration.ofHours(1)).build());
            }

            Overview overview = overview("");
            assertThat(overview.count(LeaseRow.State.NO_LEADER)).isZero();
            assertThat(overview.total()).isEqualTo(5);
            assertThat(overview.troubled()).isEqualTo(1);
            assertThat(overview.problems())
                    .extracting(Overview.ProblemLine::text)
                    .containsExactly(
                            "2 candidates ask for 8 shards and must wait, because 4 are in force: the number changes when the last replica that asks for 4 has stopped");
            assertThat(overview.groups().get(0).state()).isEqualTo(LeaseRow.State.WARNING);
        }

        @Test
        void retiredLeasesAreShownOnlyIfTheQueryAsksForThem() {
            fourShardsAndALease();
            for (int i = 0; i < 8; i++) {
                leases.add(Snapshots.lease("shop", EIGHT.lease(i).name())
                        .inGroup(EIGHT, 0)
                        .change(lease -> lease.retiredBy("17").leaseDuration(Lease.RELEASED))
                        .build());
            }

            assertThat(overview("").troubled()).isZero();
            assertThat(overview("").total()).isEqualTo(5);
            assertThat(overview("").count(LeaseRow.State.RETIRED)).isEqualTo(8);
            assertThat(overview("").count(LeaseRow.State.NO_LEADER)).isZero();
            assertThat(names(overview("state=retired"))).hasSize(8).contains("orders-8-7");
            assertThat(overview("state=retired").groups()).isEmpty();
        }

        @Test
        void groupsSayThatAStrategyDoesNotSpreadThem() {
            for (int i = 0; i < 4; i++) {
                leases.add(shard(FOUR, i)
                        .ledBy("orders-a", Duration.ofMinutes(1))
                        .strategy("OldestCompatibilityVersion")
                        .build());
            }

            assertThat(overview("").groups().get(0).notes())
                    .containsExactly(
                            "Not spread evenly: one candidate leads all shards, the best one by OldestCompatibilityVersion (set on the lease).");
        }

        @Test
        void groupsOfManyShardsHaveSmallCellsAndListSomeLeaders() {
            LeaseGroup thousand = new LeaseGroup("shop", "orders", 1000);
            List<Candidate> replicas = IntStream.range(0, 30)
                    .mapToObj(replica -> Snapshots.candidate(thousand, "orders-%02d".formatted(replica), "1.0.0"))
                    .toList();
            for (int i = 0; i < 1000; i++) {
                Snapshots.Builder shard =
                        Snapshots.lease("shop", thousand.lease(i).name()).inGroup(thousand, 0);
                replicas.forEach(replica -> shard.candidate(replica, Answer.ACKNOWLEDGED));
                leases.add(shard.ledBy("orders-%02d".formatted(i % 30), Duration.ofMinutes(1))
                        .build());
            }

            GroupRow group = overview("").groups().get(0);
            assertThat(group.dense()).isTrue();
            assertThat(group.cells().get(17)).isEqualTo(new GroupRow.Cell("c5 p2", "", null));
            assertThat(group.leaders()).hasSize(12);
            assertThat(group.moreLeaders()).isEqualTo("33 by each of 18 others");
            assertThat(group.leaders().get(11).mark()).isEqualTo("L");
        }
    }
}
