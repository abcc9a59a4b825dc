package io.cle.web.view;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import io.cle.election.internal.ElectionView;
import io.cle.election.internal.ElectionView.Standing;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import org.jspecify.annotations.Nullable;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsLast;

/**
 * A group of leases in the overview: a strip with one cell per shard, or per lease with a name of its own, in the color of its leader.
 * Like a {@link LeaseRow}, it changes only when something happens.
 *
 * @param key the lease that has shards, or the name of the group
 * @param state the state of the lease that most needs attention
 * @param sharded whether the leases are the shards of one lease
 * @param size how many leases there are: the number of shards in force, or the known leases with names of their own
 * @param cells the leases, by the index of the shard or by name
 * @param leaders the processes that lead any of them or could, the oldest candidate first; at most {@link #LONGEST_LEGEND}
 * @param moreLeaders what the other leaders lead, for people; {@code null} if there are none
 * @param led how many of the leases a process leads
 * @param moving how many of them are being handed over
 * @param moves how often one of them has got another leader
 * @param problem what needs attention about the number of shards; {@code null} if nothing does
 * @param notes what an administrator has to know to understand who leads what
 */
public record GroupRow(
        ObjectKey key,
        LeaseRow.State state,
        boolean sharded,
        int size,
        List<Cell> cells,
        List<Leader> leaders,
        @Nullable String moreLeaders,
        int led,
        int moving,
        int moves,
        LeaseRow.@Nullable Problem problem,
        List<String> notes) {

    /** The maximum number of leaders that are listed below the strip. */
    static final int LONGEST_LEGEND = 12;

    /** The maximum number of leases whose cells are large enough for a letter, and described one by one. */
    static final int MOST_LARGE_CELLS = 128;

    /** How many colors of leaders the style sheet has. */
    private static final int COLORS = 6;

    /** How many patterns distinguish leaders of the same color in small cells. */
    private static final int PATTERNS = 4;

    private static final int LETTERS = 26;

    /**
     * A lease in the strip.
     *
     * @param look its classes in the style sheet
     * @param mark the letter of its leader, or a sign that there is none; empty if the cell is too small for it
     * @param title what a person reads when pointing at it; {@code null} if the legend says enough
     */
    public record Cell(String look, String mark, @Nullable String title) {}

    /**
     * A process that leads some of the leases, or could.
     *
     * @param look its classes in the style sheet
     * @param mark its letter
     * @param identity its identity, without the group's name as a prefix
     * @param title its whole identity
     * @param leases how many of the leases it leads
     */
    public record Leader(String look, String mark, String identity, String title, int leases) {}

    /**
     * Returns the row of a group.
     *
     * @param rows the rows of its leases
     */
    static GroupRow of(GroupView group, Map<ObjectKey, LeaseRow> rows, Instant now) {
        return new Reading(group, rows, now).row();
    }

    /** Returns the id of the row in the page, which is safe for any name. */
    public String id() {
        return "group-" + URLEncoder.encode(name(key), StandardCharsets.UTF_8);
    }

    /** Returns the name of a group in URLs. */
    static String name(ObjectKey key) {
        return key.namespace() + "/" + key.name();
    }

    /** Returns the namespace for display. */
    public String namespace() {
        return DisplayFormat.text(key.namespace());
    }

    /** Returns the name for display. */
    public String name() {
        return DisplayFormat.text(key.name());
    }

    /** Returns how many of the leases no process leads. */
    public int withoutLeader() {
        return size - led;
    }

    /** Returns how many leases there are, in words. */
    public String sizeText() {
        String what = sharded ? "shard" : "lease";
        return String.format(Locale.ROOT, "%,d %s", size, size == 1 ? what : what + "s");
    }

    /** Returns whether the cells are too small for letters. */
    public boolean dense() {
        return size > MOST_LARGE_CELLS;
    }

    /** Returns what the strip shows, in words. */
    public String description() {
        StringBuilder text = new StringBuilder(sizeText() + " of " + name() + ": ");
        text.append(led).append(" led");
        leaders.stream()
                .filter(leader -> leader.leases() > 0)
                .forEach(leader ->
                        text.append(", ").append(leader.leases()).append(" by ").append(leader.identity()));
        if (moreLeaders != null) {
            text.append(", ").append(moreLeaders);
        }
        return text.append("; ")
                .append(moving)
                .append(" moving; ")
                .append(withoutLeader())
                .append(" without a leader")
                .toString();
    }

    /** Returns the query part of the URL that lists the group's leases. */
    public String url() {
        return OverviewQuery.ALL.inGroup(key).url();
    }

    /** Returns the query part of the URL that lists the leases that are being handed over. */
    public String movingUrl() {
        return url(LeaseRow.State.HANDING_OVER);
    }

    /** Returns the query part of the URL that lists the leases without a leader; if all of them are being elected, those. */
    public String vacantUrl() {
        return url(state == LeaseRow.State.NO_LEADER ? LeaseRow.State.NO_LEADER : LeaseRow.State.ELECTING);
    }

    private String url(LeaseRow.State wanted) {
        return OverviewQuery.ALL.inGroup(key).inState(wanted).url();
    }

    /** Computes the row of one group. */
    private record Reading(GroupView group, Map<ObjectKey, LeaseRow> rows, Instant now) {

        GroupRow row() {
            List<String> leaders = leaders();
            Map<String, Integer> places = new HashMap<>();
            leaders.forEach(leader -> places.put(leader, places.size()));
            List<Cell> cells = new ArrayList<>();
            LeaseRow.State state = LeaseRow.State.LED;
            for (int i = 0; i < group.size(); i++) {
                ElectionView view = group.leases().get(i);
                LeaseRow row = view == null ? null : rows.get(view.key());
                String name = view == null || group.group().isSharded()
                        ? "" + i
                        : DisplayFormat.text(view.key().name());
                cells.add(view == null || row == null ? vacant(name) : cell(name, view, row, places));
                LeaseRow.State of = row == null ? LeaseRow.State.NO_LEADER : row.state();
                state = of.compareTo(state) < 0 ? of : state;
            }
            LeaseRow.Problem problem = problem();
            boolean worse = problem != null && LeaseRow.State.WARNING.compareTo(state) < 0;
            return new GroupRow(
                    group.key(),
                    worse ? LeaseRow.State.WARNING : state,
                    group.group().isSharded(),
                    group.size(),
                    List.copyOf(cells),
                    leaders.stream()
                            .limit(LONGEST_LEGEND)
                            .map(leader -> leader(leader, places))
                            .toList(),
                    moreLeaders(leaders),
                    group.led(),
                    group.moving(),
                    group.moves(),
                    problem,
                    notes());
        }

        /** Returns the leaders and candidates, the oldest candidate first, so that another one's colors stay when a candidate joins. */
        private List<String> leaders() {
            Map<String, Instant> since = new HashMap<>();
            group.leases().values().stream()
                    .flatMap(lease -> lease.candidates().stream())
                    .map(Standing::candidate)
                    .filter(candidate -> candidate.creationTime() != null)
                    .forEach(candidate -> since.put(candidate.identity(), created(candidate)));
            return group.leasesByLeader().keySet().stream()
                    .sorted(comparing((String leader) -> since.get(leader), nullsLast(naturalOrder()))
                            .thenComparing(Comparator.naturalOrder()))
                    .toList();
        }

        private static Instant created(Candidate candidate) {
            return Optional.ofNullable(candidate.creationTime()).orElse(Instant.MAX);
        }

        private Leader leader(String identity, Map<String, Integer> places) {
            int place = places.getOrDefault(identity, 0);
            return new Leader(
                    look(place),
                    mark(place),
                    LeaseRow.withoutName(group.key().name(), DisplayFormat.text(identity)),
                    DisplayFormat.text(identity),
                    group.leasesByLeader().getOrDefault(identity, 0));
        }

        private @Nullable String moreLeaders(List<String> leaders) {
            if (leaders.size() <= LONGEST_LEGEND) {
                return null;
            }
            List<Integer> counts = leaders.stream()
                    .skip(LONGEST_LEGEND)
                    .map(leader -> group.leasesByLeader().getOrDefault(leader, 0))
                    .sorted()
                    .toList();
            int fewest = counts.get(0);
            int most = counts.get(counts.size() - 1);
            return (fewest == most ? "" + most : fewest + " to " + most) + " by each of " + counts.size() + " others";
        }

        private String look(int place) {
            String color = "c" + place % COLORS;
            int pattern = place / COLORS % PATTERNS;
            return isDense() && pattern > 0 ? color + " p" + pattern : color;
        }

        private boolean isDense() {
            return group.size() > MOST_LARGE_CELLS;
        }

        private static String mark(int place) {
            String last = Character.toString((char) ('A' + place % LETTERS));
            return place < LETTERS ? last : mark(place / LETTERS - 1) + last;
        }

        private Cell vacant(String name) {
            return new Cell("vacant", isDense() ? "" : "–", name + ": no leader");
        }

        private Cell cell(String name, ElectionView view, LeaseRow row, Map<String, Integer> places) {
            Lease lease = view.lease();
            String holder = lease == null ? null : lease.holder();
            if (lease == null || holder == null || view.holdingAt(now) != ElectionView.Holding.LEADS) {
                return row.state() == LeaseRow.State.ELECTING
                        ? new Cell("electing", isDense() ? "" : "…", name + ": electing")
                        : vacant(name);
            }
            int place = places.getOrDefault(holder, 0);
            String leader = DisplayFormat.text(holder);
            boolean moves = lease.endOfTerm();
            String title = moves
                    ? name + ": " + leader + ", handing over to "
                            + Optional.ofNullable(row.next()).orElse("another")
                    : name + ": " + leader;
            return new Cell(
                    moves ? look(place) + " moving" : look(place),
                    isDense() ? "" : mark(place),
                    isDense() && !moves ? null : title);
        }

        private LeaseRow.@Nullable Problem problem() {
            if (group.waiting().isEmpty()) {
                return null;
            }
            int shards = group.group().shards();
            String asked = String.join(
                    ", ",
                    group.waiting().entrySet().stream()
                            .map(entry -> entry.getValue()
                                    + (entry.getValue() == 1 ? " candidate asks for " : " candidates ask for ")
                                    + entry.getKey())
                            .toList());
            return new LeaseRow.Problem(
                    false,
                    asked + " shards and must wait, because " + shards
                            + " are in force: the number changes when the last replica that asks for " + shards
                            + " has stopped",
                    "candidates ask for another number of shards than the one in force");
        }

        private List<String> notes() {
            String what = group.group().isSharded() ? "shard" : "lease";
            return group.strategies().entrySet().stream()
                    .map(entry -> entry.getValue() == group.size()
                            ? "Not spread evenly: one candidate leads all " + what + "s, the best one by "
                                    + DisplayFormat.text(entry.getKey()) + "."
                            : entry.getValue() + " " + what + (entry.getValue() == 1 ? " isn't" : "s aren't")
                                    + " spread: the best candidate leads by " + DisplayFormat.text(entry.getKey())
                                    + ".")
                    .toList();
        }
    }
}
