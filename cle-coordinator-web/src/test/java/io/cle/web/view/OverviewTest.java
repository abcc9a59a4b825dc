package io.cle.web.view;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ElectionView;
import io.cle.model.ObjectKey;
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
}
