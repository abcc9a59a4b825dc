package io.cle.web.view;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.cle.runtime.internal.coordinator.ElectionView;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
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
        return OverviewQuery.of(
                values.get("q"),
                values.get("namespace"),
                values.get("state"),
                values.get("sort"),
                values.get("order"),
                values.get("page"));
    }

    private static List<String> names(Overview overview) {
        return overview.rows().stream().map(LeaseRow::name).toList();
    }

    @Test
    void countsTheStatesOfAllLeasesWhateverIsFiltered() {
        assertThat(overview("namespace=billing").states())
                .containsEntry(LeaseState.LED, 1)
                .containsEntry(LeaseState.NO_LEADER, 1)
                .containsEntry(LeaseState.WARNING, 1)
                .containsEntry(LeaseState.ELECTING, 0);
    }

    @Test
    void saysWhatIsWrongAndWhatIsWaitedFor() {
        assertThat(overview("").attention())
                .extracting(item -> item.row().name(), Overview.Attention::what)
                .containsExactly(
                        tuple("invoices", List.of("waiting for a candidate: there is none")),
                        tuple("reports", List.of("a malformed object")));
    }

    @Nested
    class Order {

        @Test
        void beginsWithWhatIsWrong() {
            assertThat(names(overview(""))).containsExactly("invoices", "reports", "orders");
        }

        @Test
        void isByLeaseIfAskedFor() {
            assertThat(names(overview("sort=lease"))).containsExactly("reports", "invoices", "orders");
            assertThat(names(overview("sort=lease order=desc"))).containsExactly("orders", "invoices", "reports");
        }

        @Test
        void endsWithLeasesWithoutALeaderIfItIsByLeader() {
            assertThat(names(overview("sort=leader"))).containsExactly("orders", "reports", "invoices");
        }
    }

    @Nested
    class Filter {

        @Test
        void isByNamespace() {
            assertThat(names(overview("namespace=shop sort=lease"))).containsExactly("invoices", "orders");
        }

        @Test
        void isByState() {
            assertThat(names(overview("state=warning"))).containsExactly("reports");
        }

        @Test
        void isByLeadersAndVersionsInUpperOrLowerCase() {
            assertThat(names(overview("q=ORDERS-A"))).containsExactly("orders");
            assertThat(names(overview("q=2.0.0"))).containsExactly("reports");
        }

        @Test
        void searchesBeyondThePageThatIsShown() {
            List<ElectionView> many = IntStream.range(0, 250)
                    .mapToObj(i -> Snapshots.lease("shop", "lease-" + i)
                            .candidate("leader-" + i, "1.0.0")
                            .ledBy("leader-" + i, Duration.ofSeconds(i))
                            .build())
                    .toList();

            Overview first = Overview.of(Snapshots.at(Snapshots.NOW, many), OverviewQuery.ALL);
            Overview last = Overview.of(Snapshots.at(Snapshots.NOW, many), query("page=9"));
            Overview found = Overview.of(Snapshots.at(Snapshots.NOW, many), query("q=leader-249"));

            assertThat(first.rows()).hasSize(Overview.PAGE_SIZE);
            assertThat(first.pages()).isEqualTo(3);
            assertThat(last.query().page()).isEqualTo(3);
            assertThat(last.rows()).hasSize(50);
            assertThat(names(found)).containsExactly("lease-249");
        }
    }

    @Nested
    class Query {

        @Test
        void isTreatedAsAbsentWhereItIsMalformed() {
            assertThat(query("state=nonsense sort=nonsense page=-1")).isEqualTo(OverviewQuery.ALL);
        }

        @Test
        void isKeptInTheUrl() {
            assertThat(query("q=a&b namespace=shop state=led sort=since order=desc page=3")
                            .url())
                    .isEqualTo("?q=a%26b&namespace=shop&state=led&sort=since&order=desc&page=3");
            assertThat(OverviewQuery.ALL.url()).isEmpty();
        }
    }

    @Nested
    class LaterOverview {

        @Test
        void equalsTheFormerOneWhileOnlyTimePasses() {
            CoordinatorSnapshot later = Snapshots.at(Snapshots.NOW.plusSeconds(2), List.of(LED, VACANT, WARNED));

            assertThat(Overview.of(later, OverviewQuery.ALL)).isEqualTo(overview(""));
        }

        @Test
        void differsOnceALeaderHasChanged() {
            ElectionView changed = Snapshots.lease("shop", "orders")
                    .candidate("orders-b", "1.0.0")
                    .ledBy("orders-b", Duration.ZERO)
                    .build();

            assertThat(Overview.of(Snapshots.of(changed, VACANT, WARNED), OverviewQuery.ALL))
                    .isNotEqualTo(overview(""));
        }
    }
}
