package io.cle.web.view;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import io.cle.election.internal.ElectionView;
import io.cle.model.ObjectKey;
import org.jspecify.annotations.Nullable;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsLast;
import static java.util.stream.Collectors.joining;

/**
 * A query of the overview. It is part of the page's URL, so that a view can be bookmarked and shared.
 *
 * @param search text that must occur in one of the lease's texts, ignoring case; empty for all
 * @param namespace the namespace; empty for all
 * @param state the state; {@code null} for all
 * @param problem the {@link LeaseRow.Problem#kind()} that a lease must have; empty for all
 * @param group the group, as {@code <namespace>/<name>}, whose Leases are shown; empty for all leases, with one line per group
 * @param by the objects that the lines represent; {@code null} to show namespaces if the leases would fill more than a page
 * @param sort the sort order
 * @param descending whether the order is reversed
 * @param page the number of the page, from 1
 */
public record OverviewQuery(
        String search,
        String namespace,
        LeaseRow.@Nullable State state,
        String problem,
        String group,
        @Nullable By by,
        Sort sort,
        boolean descending,
        int page) {

    /** All leases, those with problems first. */
    public static final OverviewQuery ALL = of(Map.of());

    /** The maximum length of a text. Long enough for any kind of problem, which is hardly longer than {@link DisplayFormat#LONGEST}. */
    private static final int LONGEST = DisplayFormat.LONGEST + 100;

    /** What one line represents. */
    public enum By {
        /** A namespace, with the number of its leases in each state. */
        NAMESPACE,
        /** A lease. */
        LEASE
    }

    /** The sort orders of rows; ties are sorted by namespace and name. */
    public enum Sort {
        /** Leases with problems first. */
        STATE("State", comparing(LeaseRow::state)),
        /** By namespace and name. */
        LEASE("Lease", comparing(LeaseRow::key)),
        /** By the leader's name; leases without a leader come last. */
        LEADER("Leader", comparing(LeaseRow::leader, nullsLast(comparing(LeaseRow.Leader::identity)))),
        /** The latest change first. */
        SINCE("For", comparing(LeaseRow::since, nullsLast(Comparator.reverseOrder()))),
        /** By the strategy's name. */
        STRATEGY("Strategy", comparing(LeaseRow::strategy)),
        /** The fewest candidates first. */
        CANDIDATES("Candidates", comparing(LeaseRow::candidates, naturalOrder()));

        private final String title;
        private final Comparator<LeaseRow> order;

        Sort(String title, Comparator<LeaseRow> order) {
            this.title = title;
            this.order = order;
        }

        /** Returns the title of the column. */
        public String title() {
            return title;
        }

        /** Returns the name in URLs. */
        public String slug() {
            return OverviewQuery.slug(this);
        }
    }

    /** Parses the parameters of a URL. Unknown values are treated as absent, because people type URLs and follow old bookmarks. */
    public static OverviewQuery of(Map<String, String> parameters) {
        String page = parameters.getOrDefault("page", "");
        return new OverviewQuery(
                text(parameters, "q"),
                text(parameters, "namespace"),
                LeaseRow.State.of(parameters.getOrDefault("state", "")).orElse(null),
                text(parameters, "problem"),
                text(parameters, "group"),
                constant(By.values(), parameters, "by").orElse(null),
                constant(Sort.values(), parameters, "sort").orElse(Sort.STATE),
                "desc".equals(parameters.get("order")),
                page.matches("[1-9]\\d{0,5}") ? Integer.parseInt(page) : 1);
    }

    private static String text(Map<String, String> parameters, String name) {
        String text = parameters.getOrDefault(name, "").strip();
        return text.substring(0, Math.min(LONGEST, text.length()));
    }

    private static <E extends Enum<E>> Optional<E> constant(E[] values, Map<String, String> parameters, String name) {
        return Arrays.stream(values)
                .filter(value -> slug(value).equals(parameters.get(name)))
                .findFirst();
    }

    private static String slug(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    Comparator<LeaseRow> order() {
        // The names of shards differ in the number at their end only.
        Comparator<LeaseRow> byName = group.isEmpty()
                ? comparing(LeaseRow::key)
                : comparing((LeaseRow row) -> row.key().name().length()).thenComparing(LeaseRow::key);
        Comparator<LeaseRow> order = sort == Sort.LEASE ? byName : sort.order;
        return (descending ? order.reversed() : order).thenComparing(byName);
    }

    /** Returns the namespace for display. */
    public String shownNamespace() {
        return DisplayFormat.text(namespace);
    }

    /** Returns the kind of problem for display. */
    public String shownProblem() {
        return DisplayFormat.text(problem);
    }

    /** Returns the group for display. */
    public String shownGroup() {
        return DisplayFormat.text(group);
    }

    /** Returns whether the query excludes any leases. */
    public boolean filters() {
        return !search.isEmpty() || !namespace.isEmpty() || state != null || !problem.isEmpty() || !group.isEmpty();
    }

    boolean matches(LeaseRow row, ElectionView lease) {
        return (namespace.isEmpty() || row.key().namespace().equals(namespace))
                && (state == null || row.state() == state)
                && (problem.isEmpty()
                        || row.problems().stream().anyMatch(it -> it.kind().equals(problem)))
                && (search.isEmpty() || mentions(lease, search.toLowerCase(Locale.ROOT)));
    }

    private static boolean mentions(ElectionView lease, String lowerCase) {
        Stream<@Nullable Object> texts = Stream.of(
                lease.key(),
                lease.lease() == null ? null : lease.lease().holder(),
                lease.strategy().name());
        Stream<@Nullable Object> candidates = lease.candidates().stream()
                .map(ElectionView.Standing::candidate)
                .flatMap(candidate -> Stream.of(
                        candidate.identity(),
                        candidate.pod() == null ? null : candidate.pod().key().name(),
                        candidate.binaryVersion()));
        return Stream.concat(texts, candidates)
                .anyMatch(text ->
                        text != null && text.toString().toLowerCase(Locale.ROOT).contains(lowerCase));
    }

    /** Returns whether one line represents a namespace. */
    boolean groups(int leases, int namespaces) {
        return by == null
                ? group.isEmpty() && leases > Overview.PAGE_SIZE && namespaces > 1 && sort == Sort.STATE && !descending
                : by == By.NAMESPACE;
    }

    /** Returns this query with one line per namespace, however few leases there are. */
    public OverviewQuery byNamespace() {
        return with("by", slug(By.NAMESPACE));
    }

    /** Returns this query with one line per lease, however many there are. */
    public OverviewQuery byLease() {
        return with("by", slug(By.LEASE));
    }

    /** Returns this query sorted by a column; in reverse order if it is already sorted by it. */
    public OverviewQuery sortedBy(Sort column) {
        return with("sort", column == Sort.STATE ? "" : column.slug())
                .with("order", column == sort && !descending ? "desc" : "");
    }

    /** Returns this query filtered by a state; without the filter if it is already filtered by it. */
    public OverviewQuery inState(LeaseRow.State wanted) {
        return with("state", wanted == state ? "" : wanted.slug());
    }

    /** Returns this query filtered by a namespace, with one line per lease; in all namespaces if it is empty. */
    public OverviewQuery in(String wanted) {
        return with("namespace", wanted).with("by", "");
    }

    /** Returns this query filtered by a kind of problem; without the filter if it is empty. */
    public OverviewQuery having(String wanted) {
        return with("problem", wanted);
    }

    /** Returns this query for the leases of a group. */
    OverviewQuery inGroup(ObjectKey lease) {
        return with("group", GroupRow.name(lease)).with("by", "");
    }

    /** Returns this query for the leases of all groups, and those that aren't in a group. */
    public OverviewQuery inAnyGroup() {
        return with("group", "");
    }

    /** Returns this query for another page. */
    public OverviewQuery onPage(int number) {
        return with("page", number == 1 ? "" : Integer.toString(number));
    }

    private OverviewQuery with(String name, String value) {
        Map<String, String> changed = new LinkedHashMap<>(parameters());
        changed.remove("page");
        changed.put(name, value);
        return of(changed);
    }

    /** Returns the parameters of the URL, except those with default values. */
    public Map<String, String> parameters() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("q", search);
        parameters.put("namespace", namespace);
        parameters.put("state", state == null ? "" : state.slug());
        parameters.put("problem", problem);
        parameters.put("group", group);
        parameters.put("by", by == null ? "" : slug(by));
        parameters.put("sort", sort == Sort.STATE ? "" : sort.slug());
        parameters.put("order", descending ? "desc" : "");
        parameters.put("page", page == 1 ? "" : Integer.toString(page));
        parameters.values().removeIf(String::isEmpty);
        return parameters;
    }

    /** Returns the query part of the URL with its question mark; empty if there are no parameters. */
    public String url() {
        return parameters().entrySet().stream()
                .map(parameter ->
                        parameter.getKey() + "=" + URLEncoder.encode(parameter.getValue(), StandardCharsets.UTF_8))
                .collect(joining("&", parameters().isEmpty() ? "" : "?", ""));
    }
}
