package io.cle.web.view;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsLast;

/**
 * What of the overview is asked for. It is the page's URL, so that a view can be bookmarked and sent to a colleague.
 *
 * @param search must occur in one of the lease's texts, in upper or lower case; empty for all
 * @param namespace the namespace; empty for all
 * @param state the state; {@code null} for all
 * @param sort by what
 * @param descending whether the other way round
 * @param page which page, from 1
 */
public record OverviewQuery(
        String search, String namespace, @Nullable LeaseState state, Sort sort, boolean descending, int page) {

    /** Everything, what is wrong first. */
    public static final OverviewQuery ALL = new OverviewQuery("", "", null, Sort.STATE, false, 1);

    private static final int LONGEST = 253;

    /** By what the rows can be sorted; leases that are equal by it are sorted by namespace and name. */
    public enum Sort {
        /** What is wrong first. */
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

        /** The column's title. */
        public String title() {
            return title;
        }

        /** For URLs. */
        public String slug() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Optional<Sort> of(String slug) {
            return List.of(values()).stream()
                    .filter(sort -> sort.slug().equals(slug))
                    .findFirst();
        }
    }

    /** Reads parameters of a URL; one that isn't understood counts as absent, because URLs are typed and old bookmarks followed. */
    public static OverviewQuery of(
            @Nullable String search,
            @Nullable String namespace,
            @Nullable String state,
            @Nullable String sort,
            @Nullable String order,
            @Nullable String page) {
        return new OverviewQuery(
                cut(search),
                cut(namespace),
                state == null ? null : LeaseState.of(state).orElse(null),
                sort == null ? Sort.STATE : Sort.of(sort).orElse(Sort.STATE),
                "desc".equals(order),
                page != null && page.matches("[1-9]\\d{0,5}") ? Integer.parseInt(page) : 1);
    }

    private static String cut(@Nullable String text) {
        String trimmed = text == null ? "" : text.strip();
        return trimmed.substring(0, Math.min(LONGEST, trimmed.length()));
    }

    Comparator<LeaseRow> order() {
        Comparator<LeaseRow> order = descending ? sort.order.reversed() : sort.order;
        return order.thenComparing(LeaseRow::key);
    }

    /** Whether anything is left out by it. */
    public boolean filters() {
        return !search.isEmpty() || !namespace.isEmpty() || state != null;
    }

    boolean matches(LeaseRow row) {
        return (namespace.isEmpty() || row.key().namespace().equals(namespace))
                && (state == null || row.state() == state)
                && (search.isEmpty() || row.contains(search.toLowerCase(Locale.ROOT)));
    }

    /** Sorted by a column; the other way round when it is already. */
    public OverviewQuery sortedBy(Sort column) {
        return new OverviewQuery(search, namespace, state, column, column == sort && !descending, 1);
    }

    /** Filtered by a state; by none when it is already. */
    public OverviewQuery inState(LeaseState wanted) {
        return new OverviewQuery(search, namespace, wanted == state ? null : wanted, sort, descending, 1);
    }

    /** Another page of the same. */
    public OverviewQuery onPage(int number) {
        return new OverviewQuery(search, namespace, state, sort, descending, number);
    }

    /** The query part of the URL, without what is the default; empty or with its question mark. */
    public String url() {
        List<String> parameters = new ArrayList<>();
        add(parameters, "q", search);
        add(parameters, "namespace", namespace);
        add(parameters, "state", state == null ? "" : state.slug());
        add(parameters, "sort", sort == Sort.STATE ? "" : sort.slug());
        add(parameters, "order", descending ? "desc" : "");
        add(parameters, "page", page == 1 ? "" : Integer.toString(page));
        return parameters.isEmpty() ? "" : "?" + String.join("&", parameters);
    }

    private static void add(List<String> parameters, String name, String value) {
        if (!value.isEmpty()) {
            parameters.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
        }
    }
}
