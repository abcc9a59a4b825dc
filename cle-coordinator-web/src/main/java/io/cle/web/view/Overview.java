package io.cle.web.view;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.cle.web.view.CoordinatorSnapshot.ReplicaLine;
import org.jspecify.annotations.Nullable;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.reverseOrder;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

/**
 * All leases at a glance, in at most {@link #PAGE_SIZE} lines, however many leases there are: either one line a lease, or one line a
 * namespace. Two overviews are equal when a page that shows one needn't be updated for the other.
 *
 * @param query what was asked for
 * @param replica what the replica that serves the page is
 * @param namespaces the namespaces of the page that was asked for, worst first; empty if it shows leases
 * @param rows the leases of the page that was asked for; empty if it shows namespaces
 * @param matching how many leases match the query
 * @param total how many leases there are
 * @param pages how many pages the matching leases or their namespaces fill; at least one
 * @param states how many leases are in each state, whatever the query; only states that occur
 * @param problems what is wrong, worst first, whatever the query; at most {@link #LONGEST_PROBLEMS}
 * @param furtherProblems how many kinds of problems there are beyond those
 * @param troubled how many leases something is wrong with
 */
public record Overview(
        OverviewQuery query,
        ReplicaLine replica,
        List<NamespaceLine> namespaces,
        List<LeaseRow> rows,
        int matching,
        int total,
        int pages,
        Map<LeaseRow.State, Integer> states,
        List<ProblemLine> problems,
        int furtherProblems,
        int troubled) {

    /** How many lines a page has. */
    public static final int PAGE_SIZE = 50;

    /** How many kinds of problems are listed at the top; the leases that have the others come first below. */
    static final int LONGEST_PROBLEMS = 8;

    /**
     * A namespace and how its leases are doing.
     *
     * @param name its name
     * @param leases how many leases of it match the query
     * @param states how many of these are in each state; only states that occur
     */
    public record NamespaceLine(String name, int leases, Map<LeaseRow.State, Integer> states) {

        /** The name, to be shown. */
        public String shown() {
            return DisplayFormat.text(name);
        }

        /** What the line is called in the page, whatever strangers have put into the name. */
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
     * @param state the state by which it is shown
     * @param text what is wrong, with names and numbers only if it is one problem of one lease
     * @param kind the {@link LeaseRow.Problem#kind()}
     * @param leases how many leases have it
     * @param first one of these leases
     * @param since since when no process leads the one that has waited longest; {@code null} when that isn't known, or a process does
     */
    public record ProblemLine(
            LeaseRow.State state,
            String text,
            String kind,
            int leases,
            LeaseRow first,
            @Nullable Instant since) {

        /** The query part of the URL that lists the leases. */
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
                            : null);
        }
    }

    /** How many leases are in a state. */
    public int count(LeaseRow.State state) {
        return states.getOrDefault(state, 0);
    }

    /** The overview of a snapshot. */
    public static Overview of(CoordinatorSnapshot snapshot, OverviewQuery query) {
        return of(snapshot, LeaseRow.allOf(snapshot), query);
    }

    /**
     * The overview of a snapshot whose rows have been made already.
     *
     * @param all the rows of the snapshot, in its order
     */
    public static Overview of(CoordinatorSnapshot snapshot, List<LeaseRow> all, OverviewQuery query) {
        List<LeaseRow> matching = IntStream.range(0, all.size())
                .filter(i -> query.matches(all.get(i), snapshot.leases().get(i)))
                .mapToObj(all::get)
                .sorted(query.order())
                .toList();
        List<NamespaceLine> namespaces = namespaces(matching);
        boolean grouped = query.groups(matching.size(), namespaces.size());
        int lines = grouped ? namespaces.size() : matching.size();
        int pages = Math.max(1, (lines + PAGE_SIZE - 1) / PAGE_SIZE);
        int page = Math.min(query.page(), pages);
        List<ProblemLine> problems = problems(all);
        return new Overview(
                query.onPage(page),
                snapshot.replica(),
                grouped ? page(namespaces, page) : List.of(),
                grouped ? List.of() : page(matching, page),
                matching.size(),
                all.size(),
                pages,
                states(all),
                problems.stream().limit(LONGEST_PROBLEMS).toList(),
                Math.max(0, problems.size() - LONGEST_PROBLEMS),
                (int) all.stream().filter(row -> !row.problems().isEmpty()).count());
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

    private static List<ProblemLine> problems(List<LeaseRow> rows) {
        Map<List<Object>, List<Found>> byKind = rows.stream()
                .flatMap(row -> row.problems().stream().map(problem -> new Found(problem, row)))
                .collect(groupingBy(
                        found -> List.of(
                                found.problem().vacant(), found.problem().kind()),
                        LinkedHashMap::new,
                        toList()));
        return byKind.values().stream()
                .map(ProblemLine::of)
                .sorted(comparing(ProblemLine::state)
                        .thenComparing(ProblemLine::leases, reverseOrder())
                        .thenComparing(ProblemLine::kind))
                .toList();
    }

    private record Found(LeaseRow.Problem problem, LeaseRow row) {}
}
