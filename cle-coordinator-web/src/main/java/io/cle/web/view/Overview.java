package io.cle.web.view;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.cle.election.internal.ElectionView;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.web.view.CoordinatorSnapshot.ReplicaLine;
import org.jspecify.annotations.Nullable;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.reverseOrder;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toSet;

/**
 * The overview of all leases, in at most {@link #PAGE_SIZE} lines: either one line per lease, or one line per namespace; the leases of a group
 * share a row with a cell for each, and shards have no line of their own. Retired Leases are shown only if the query asks for their state. Two overviews are
 * equal if a page that shows one doesn't need to be updated for the other.
 *
 * @param query the query
 * @param replica the replica that serves the page
 * @param namespaces the namespaces of the requested page, worst first; empty if it shows leases
 * @param groups the groups with a matching lease, worst first, on the first page; at most {@link #MOST_GROUPS}; empty if it shows namespaces
 * @param furtherGroups how many matching groups there are beyond those
 * @param rows the leases of the requested page; empty if it shows namespaces
 * @param matching how many leases match the query
 * @param total how many leases there are
 * @param pages how many pages the matching leases or their namespaces fill; at least one
 * @param states how many leases are in each state, regardless of the query; only states that occur
 * @param problems the kinds of problems, worst first, regardless of the query; at most {@link #LONGEST_PROBLEMS}
 * @param furtherProblems how many kinds of problems there are beyond those
 * @param troubled how many leases have problems
 */
public record Overview(
        OverviewQuery query,
        ReplicaLine replica,
        List<NamespaceLine> namespaces,
        List<GroupRow> groups,
        int furtherGroups,
        List<LeaseRow> rows,
        int matching,
        int total,
        int pages,
        Map<LeaseRow.State, Integer> states,
        List<ProblemLine> problems,
        int furtherProblems,
        int troubled) {

    /** The maximum number of lines per page. */
    public static final int PAGE_SIZE = 50;

    /** The maximum number of groups listed; the others are found by a search or a namespace. */
    static final int MOST_GROUPS = 20;

    /** The maximum number of kinds of problems listed at the top; leases with other problems come first in the list below. */
    static final int LONGEST_PROBLEMS = 8;

    /**
     * A namespace and the states of its leases.
     *
     * @param name its name
     * @param leases how many leases of it match the query
     * @param states how many of these are in each state; only states that occur
     */
    public record NamespaceLine(String name, int leases, Map<LeaseRow.State, Integer> states) {

        /** Returns the name for display. */
        public String shown() {
            return DisplayFormat.text(name);
        }

        /** Returns the id of the line in the page, which is safe for any name. */
        public String id() {
            return "namespace-" + URLEncoder.encode(name, StandardCharsets.UTF_8);
        }

        private int in(LeaseRow.State state) {
            return states.getOrDefault(state, 0);
        }
    }

    /**
     * A kind of problem and the leases that have it.
     *
     * @param state the state shown with it
     * @param text the problem, with names and numbers only if it is a single problem of one lease
     * @param kind the {@link LeaseRow.Problem#kind()}
     * @param leases how many leases have it
     * @param first one of these leases; {@code null} if a group as a whole has the problem
     * @param since since when no process has led the lease that has waited longest; {@code null} if unknown, or if a process leads
     * @param group the group that has the problem as a whole; {@code null} if leases have it
     */
    public record ProblemLine(
            LeaseRow.State state,
            String text,
            String kind,
            int leases,
            @Nullable LeaseRow first,
            @Nullable Instant since,
            @Nullable GroupRow group) {

        /** Returns the query part of the URL that lists the leases. */
        public String url() {
            return OverviewQuery.ALL.having(kind).url();
        }

        private static ProblemLine of(List<Found> found) {
            Found first = found.get(0);
            boolean vacant = first.problem().vacant();
            return new ProblemLine(
                    vacant ? LeaseRow.State.NO_LEADER : LeaseRow.State.WARNING,
                    found.size() == 1 ? first.problem().text() : first.problem().kind(),
                    first.problem().kind(),
                    (int) found.stream().map(it -> it.row().key()).distinct().count(),
                    first.row(),
                    vacant
                            ? found.stream()
                                    .flatMap(it -> Stream.ofNullable(it.row().since()))
                                    .min(naturalOrder())
                                    .orElse(null)
                            : null,
                    null);
        }
    }

    /** Returns how many leases are in a state. */
    public int count(LeaseRow.State state) {
        return states.getOrDefault(state, 0);
    }

    /** Returns the overview of a snapshot. */
    public static Overview of(CoordinatorSnapshot snapshot, OverviewQuery query) {
        return of(snapshot, LeaseRow.allOf(snapshot), query);
    }

    /**
     * Returns the overview of a snapshot whose rows are already computed.
     *
     * @param all the rows of the snapshot, in its order
     */
    public static Overview of(CoordinatorSnapshot snapshot, List<LeaseRow> all, OverviewQuery query) {
        List<GroupView> known = snapshot.groups();
        List<Shown> shown = shown(snapshot, known, all);
        List<LeaseRow> current = shown.stream()
                .filter(lease -> !lease.isRetired())
                .map(Shown::row)
                .toList();
        List<GroupRow> groups = groups(known, current, snapshot.time());
        List<Shown> matching =
                shown.stream().filter(lease -> lease.matches(query)).toList();
        Set<ObjectKey> matchingGroups = matching.stream()
                .filter(lease -> lease.inRowOf() != null && !lease.isRetired())
                .map(lease -> lease.inRowOf().key())
                .collect(toSet());
        boolean eachShard = !query.group().isEmpty() || query.state() == LeaseRow.State.RETIRED;
        List<LeaseRow> rows = matching.stream()
                .filter(lease -> eachShard || lease.view().shard().isEmpty())
                .map(Shown::row)
                .sorted(query.order())
                .toList();
        List<GroupRow> shownGroups = groups.stream()
                .filter(group -> query.group().isEmpty()
                        ? matchingGroups.contains(group.key())
                        : query.group().equals(GroupRow.name(group.key())))
                .toList();
        List<NamespaceLine> namespaces =
                namespaces(matching.stream().map(Shown::row).toList());
        boolean grouped = query.groups(rows.size() + (eachShard ? 0 : shownGroups.size()), namespaces.size());
        int lines = grouped ? namespaces.size() : rows.size();
        int pages = Math.max(1, (lines + PAGE_SIZE - 1) / PAGE_SIZE);
        int page = Math.min(query.page(), pages);
        List<GroupRow> firstGroups = grouped || page > 1
                ? List.of()
                : shownGroups.stream().limit(MOST_GROUPS).toList();
        List<ProblemLine> problems = problems(current, groups);
        return new Overview(
                query.onPage(page),
                snapshot.replica(),
                grouped ? page(namespaces, page) : List.of(),
                firstGroups,
                firstGroups.isEmpty() ? 0 : shownGroups.size() - firstGroups.size(),
                grouped ? List.of() : page(rows, page),
                matching.size(),
                current.size(),
                pages,
                states(shown.stream().map(Shown::row).toList()),
                problems.stream().limit(LONGEST_PROBLEMS).toList(),
                Math.max(0, problems.size() - LONGEST_PROBLEMS),
                (int) Stream.concat(
                                current.stream().filter(row -> !row.problems().isEmpty()),
                                groups.stream().filter(group -> group.problem() != null))
                        .count());
    }

    /**
     * A lease with its row.
     *
     * @param inRowOf the group in whose row it is a cell; {@code null} if it is in no group
     */
    private record Shown(
            LeaseRow row, ElectionView view, @Nullable GroupView inRowOf) {

        boolean isRetired() {
            return row.state() == LeaseRow.State.RETIRED;
        }

        boolean matches(OverviewQuery query) {
            return isRetired() == (query.state() == LeaseRow.State.RETIRED)
                    && (query.group().isEmpty()
                            || (inRowOf != null && query.group().equals(GroupRow.name(inRowOf.key()))))
                    && query.matches(row, view);
        }
    }

    /** Returns the leases without those of numbers of shards that candidates wait for: they wait as a whole, not for each Lease. */
    private static List<Shown> shown(CoordinatorSnapshot snapshot, List<GroupView> known, List<LeaseRow> all) {
        Map<ObjectKey, GroupView> groups = new HashMap<>();
        known.forEach(group -> groups.put(group.key(), group));
        List<Shown> shown = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            ElectionView view = snapshot.leases().get(i);
            LeaseGroup of = view.group();
            GroupView group = of == null ? null : groups.get(of.key());
            boolean waits =
                    group != null && view.shard().isPresent() && !group.group().equals(of) && !view.retired();
            if (!waits) {
                shown.add(new Shown(all.get(i), view, group));
            }
        }
        return shown;
    }

    private static List<GroupRow> groups(List<GroupView> groups, List<LeaseRow> rows, Instant now) {
        if (groups.isEmpty()) {
            return List.of();
        }
        Map<ObjectKey, LeaseRow> byKey = new HashMap<>();
        rows.forEach(row -> byKey.put(row.key(), row));
        return groups.stream()
                .map(group -> GroupRow.of(group, byKey, now))
                .sorted(comparing(GroupRow::state).thenComparing(GroupRow::key))
                .toList();
    }

    private static <T> List<T> page(List<T> lines, int page) {
        return List.copyOf(lines.subList((page - 1) * PAGE_SIZE, Math.min(lines.size(), page * PAGE_SIZE)));
    }

    private static Map<LeaseRow.State, Integer> states(List<LeaseRow> rows) {
        Map<LeaseRow.State, Integer> states = new EnumMap<>(LeaseRow.State.class);
        rows.forEach(row -> states.merge(row.state(), 1, Integer::sum));
        return states;
    }

    private static List<NamespaceLine> namespaces(List<LeaseRow> rows) {
        Map<String, List<LeaseRow>> byName = new TreeMap<>();
        rows.forEach(row -> byName.computeIfAbsent(row.key().namespace(), unused -> new ArrayList<>())
                .add(row));
        Comparator<NamespaceLine> worstFirst =
                comparing((NamespaceLine line) -> line.in(LeaseRow.State.NO_LEADER), reverseOrder());
        return byName.entrySet().stream()
                .map(entry -> new NamespaceLine(entry.getKey(), entry.getValue().size(), states(entry.getValue())))
                .sorted(worstFirst.thenComparing(line -> line.in(LeaseRow.State.WARNING), reverseOrder()))
                .toList();
    }

    private static List<ProblemLine> problems(List<LeaseRow> rows, List<GroupRow> groups) {
        List<ProblemLine> ofGroups = new ArrayList<>();
        for (GroupRow group : groups) {
            LeaseRow.Problem problem = group.problem();
            if (problem != null) {
                ofGroups.add(
                        new ProblemLine(LeaseRow.State.WARNING, problem.text(), problem.kind(), 1, null, null, group));
            }
        }
        Map<List<Object>, List<Found>> byKind = rows.stream()
                .flatMap(row -> row.problems().stream().map(problem -> new Found(problem, row)))
                .collect(groupingBy(
                        found -> List.of(
                                found.problem().vacant(), found.problem().kind()),
                        LinkedHashMap::new,
                        toList()));
        return Stream.concat(byKind.values().stream().map(ProblemLine::of), ofGroups.stream())
                .sorted(comparing(ProblemLine::state)
                        .thenComparing(ProblemLine::leases, reverseOrder())
                        .thenComparing(ProblemLine::kind))
                .toList();
    }

    private record Found(LeaseRow.Problem problem, LeaseRow row) {}
}
