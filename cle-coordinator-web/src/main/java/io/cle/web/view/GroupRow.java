package io.cle.web.view;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
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
 * A group of shards in the overview: a strip with one cell per shard, in the color of its leader. Like a {@link LeaseRow}, it changes only when
 * something happens.
 *
 * @param key the lease that has shards
 * @param state the state of the shard that most needs attention
 * @param shards how many shards are in force
 * @param cells the shards, by index
 * @param leaders the processes that lead shards or could, the oldest candidate first; at most {@link #LONGEST_LEGEND}
 * @param moreLeaders what the other leaders lead, for people; {@code null} if there are none
 * @param led how many shards a process leads
 * @param moving how many shards are being handed over
 * @param moves how often a shard has got another leader
 * @param problem what needs attention about the number of shards; {@code null} if nothing does
 * @param notes what an administrator has to know to understand who leads what
 */
public record GroupRow(
        ObjectKey key,
        LeaseRow.State state,
        int shards,
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

    /** The maximum number of shards whose cells are large enough for a letter, and described one by one. */
    static final int MOST_LARGE_CELLS = 128;

    /** How many colors of leaders the style sheet has. */
    private static final int COLORS = 6;

    /** How many patterns distinguish leaders of the same color in small cells. */
    private static final int PATTERNS = 4;

    private static final int LETTERS = 26;

    /**
     * A shard in the strip.
     *
     * @param look its classes in the style sheet
     * @param mark the letter of its leader, or a sign that there is none; empty if the cell is too small for it
     * @param title what a person reads when pointing at it; {@code null} if the legend says enough
     */
    public record Cell(String look, String mark, @Nullable String title) {}

    /**
     * A process that leads shards, or could.
     *
     * @param look its classes in the style sheet
     * @param mark its letter
     * @param identity its identity, without the group's name as a prefix
     * @param title its whole identity
     * @param shards how many shards it leads
     */
    public record Leader(String look, String mark, String identity, String title, int shards) {}

    /**
     * Returns the row of a group.
     *
     * @param rows the rows of its shards
     */
    static GroupRow of(ShardGroup group, Map<ObjectKey, LeaseRow> rows, Instant now) {
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

    /** Returns how many shards no process leads. */
    public int withoutLeader() {
        return shards - led;
    }

    /** Returns whether the cells are too small for letters. */
    public boolean dense() {
        return shards > MOST_LARGE_CELLS;
    }

    /** Returns what the strip shows, in words. */
    public String description() {
        StringBuilder text = new StringBuilder(shards + (shards == 1 ? " shard of " : " shards of ") + name() + ": ");
        text.append(led).append(" led");
        leaders.stream()
                .filter(leader -> leader.shards() > 0)
                .forEach(leader ->
                        text.append(", ").append(leader.shards()).append(" by ").append(leader.identity()));
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

    /** Returns the query part of the URL that lists the shards' Leases. */
    public String url() {
        return OverviewQuery.ALL.inGroup(key).url();
    }

    /** Returns the query part of the URL that lists the Leases of the shards that are being handed over. */
    public String movingUrl() {
        return url(LeaseRow.State.HANDING_OVER);
    }

    /** Returns the query part of the URL that lists the Leases of the shards without a leader; if all of them are being elected, those. */
    public String vacantUrl() {
        return url(state == LeaseRow.State.NO_LEADER ? LeaseRow.State.NO_LEADER : LeaseRow.State.ELECTING);
    }

    private String url(LeaseRow.State wanted) {
        return OverviewQuery.ALL.inGroup(key).inState(wanted).url();
    }

    /** Computes the row of one group. */
    private record Reading(ShardGroup group, Map<ObjectKey, LeaseRow> rows, Instant now) {

        GroupRow row() {
            List<String> leaders = leaders();
            Map<String, Integer> places = new HashMap<>();
            leaders.forEach(leader -> places.put(leader, places.size()));
            List<Cell> cells = new ArrayList<>();
            LeaseRow.State state = LeaseRow.State.LED;
            for (int shard = 0; shard < group.group().shards(); shard++) {
                ElectionView view = group.shards().get(shard);
                LeaseRow row = view == null ? null : rows.get(view.key());
                cells.add(view == null || row == null ? vacant(shard) : cell(shard, view, row, places));
                LeaseRow.State of = row == null ? LeaseRow.State.NO_LEADER : row.state();
                state = of.compareTo(state) < 0 ? of : state;
            }
            LeaseRow.Problem problem = problem();
            boolean worse = problem != null && LeaseRow.State.WARNING.compareTo(state) < 0;
            return new GroupRow(
                    group.key(),
                    worse ? LeaseRow.State.WARNING : state,
                    group.group().shards(),
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
            group.shards().values().stream()
                    .flatMap(shard -> shard.candidates().stream())
                    .map(Standing::candidate)
                    .filter(candidate -> candidate.creationTime() != null)
                    .forEach(candidate -> since.put(candidate.identity(), created(candidate)));
            return group.shardsByLeader().keySet().stream()
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
                    group.shardsByLeader().getOrDefault(identity, 0));
        }

        private @Nullable String moreLeaders(List<String> leaders) {
            if (leaders.size() <= LONGEST_LEGEND) {
                return null;
            }
            List<Integer> counts = leaders.stream()
                    .skip(LONGEST_LEGEND)
                    .map(leader -> group.shardsByLeader().getOrDefault(leader, 0))
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
            return group.group().shards() > MOST_LARGE_CELLS;
        }

        private static String mark(int place) {
            String last = Character.toString((char) ('A' + place % LETTERS));
            return place < LETTERS ? last : mark(place / LETTERS - 1) + last;
        }

        private Cell vacant(int shard) {
            return new Cell("vacant", isDense() ? "" : "–", shard + ": no leader");
        }

        private Cell cell(int shard, ElectionView view, LeaseRow row, Map<String, Integer> places) {
            Lease lease = view.lease();
            String holder = lease == null ? null : lease.holder();
            if (lease == null || holder == null || view.holdingAt(now) != ElectionView.Holding.LEADS) {
                return row.state() == LeaseRow.State.ELECTING
                        ? new Cell("electing", isDense() ? "" : "…", shard + ": electing")
                        : vacant(shard);
            }
            int place = places.getOrDefault(holder, 0);
            String leader = DisplayFormat.text(holder);
            boolean moves = lease.endOfTerm();
            String title = moves
                    ? shard + ": " + leader + ", handing over to "
                            + Optional.ofNullable(row.next()).orElse("another")
                    : shard + ": " + leader;
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
            return group.strategies().entrySet().stream()
                    .map(entry -> entry.getValue() == group.group().shards()
                            ? "Not spread evenly: one candidate leads all shards, the best one by "
                                    + DisplayFormat.text(entry.getKey()) + "."
                            : entry.getValue() + (entry.getValue() == 1 ? " shard isn't" : " shards aren't")
                                    + " spread: the best candidate leads by " + DisplayFormat.text(entry.getKey())
                                    + ".")
                    .toList();
        }
    }
}
