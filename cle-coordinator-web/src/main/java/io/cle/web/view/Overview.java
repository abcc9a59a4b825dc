package io.cle.web.view;

import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * All leases at a glance. Two overviews are equal when a page that shows one needn't be updated for the other.
 *
 * @param query what was asked for
 * @param replica what the replica that serves the page is
 * @param rows the rows of the page that was asked for
 * @param matching how many leases match the query
 * @param total how many leases there are
 * @param pages how many pages the matching leases fill; at least one
 * @param states how many leases are in each state, whatever the query; all states are there
 * @param namespaces the namespaces that there are, in order
 * @param attention what is wrong, worst first, whatever the query
 * @param attentionTotal how many leases something is wrong with
 */
public record Overview(
        OverviewQuery query,
        ReplicaLine replica,
        List<LeaseRow> rows,
        int matching,
        int total,
        int pages,
        Map<LeaseState, Integer> states,
        List<String> namespaces,
        List<Attention> attention,
        int attentionTotal) {

    /** How many rows a page has. */
    public static final int PAGE_SIZE = 100;

    /** How many leases that something is wrong with are listed at the top; the others are a click away. */
    static final int LONGEST_ATTENTION = 8;

    /**
     * Something that is wrong with a lease.
     *
     * @param row the lease
     * @param what what is wrong, and what is being waited for
     * @param since since when; {@code null} when that isn't known
     */
    public record Attention(
            LeaseRow row, List<String> what, @Nullable Instant since) {

        static Attention of(LeaseRow row) {
            boolean vacant = row.state() == LeaseState.NO_LEADER;
            return vacant && row.waitingFor() != null
                    ? new Attention(
                            row,
                            Stream.concat(Stream.of("waiting for " + row.waitingFor()), row.warnings().stream())
                                    .toList(),
                            row.since())
                    : new Attention(row, row.warnings(), null);
        }
    }

    /** How many leases are in a state. */
    public int count(LeaseState state) {
        return states.getOrDefault(state, 0);
    }

    /** How many leases need attention beyond those that are listed first. */
    public int attentionMore() {
        return attentionTotal - attention.size();
    }

    /** The overview of a snapshot. */
    public static Overview of(CoordinatorSnapshot snapshot, OverviewQuery query) {
        List<LeaseRow> all = snapshot.leases().stream()
                .map(lease -> LeaseRow.of(lease, snapshot.policy(), snapshot.time()))
                .toList();
        List<LeaseRow> matching =
                all.stream().filter(query::matches).sorted(query.order()).toList();
        int pages = Math.max(1, (matching.size() + PAGE_SIZE - 1) / PAGE_SIZE);
        int page = Math.min(query.page(), pages);
        Map<LeaseState, Integer> states = new EnumMap<>(LeaseState.class);
        List.of(LeaseState.values()).forEach(state -> states.put(state, 0));
        all.forEach(row -> states.merge(row.state(), 1, Integer::sum));
        TreeSet<String> namespaces = new TreeSet<>();
        all.forEach(row -> namespaces.add(row.key().namespace()));
        List<LeaseRow> wrong = all.stream()
                .filter(row ->
                        row.state() == LeaseState.NO_LEADER || !row.warnings().isEmpty())
                .sorted(Comparator.comparing(LeaseRow::state).thenComparing(LeaseRow::key))
                .toList();
        return new Overview(
                query.onPage(page),
                ReplicaLine.of(snapshot),
                List.copyOf(matching.subList((page - 1) * PAGE_SIZE, Math.min(matching.size(), page * PAGE_SIZE))),
                matching.size(),
                all.size(),
                pages,
                states,
                List.copyOf(namespaces),
                wrong.stream().limit(LONGEST_ATTENTION).map(Attention::of).toList(),
                wrong.size());
    }
}
