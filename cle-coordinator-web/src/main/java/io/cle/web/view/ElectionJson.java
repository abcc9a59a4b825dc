package io.cle.web.view;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import io.cle.election.internal.ElectionView;
import io.cle.election.internal.ElectionView.Standing;
import io.cle.election.internal.WatchStatus;
import io.cle.model.Candidate;
import io.cle.model.internal.Lease;
import org.jspecify.annotations.Nullable;

/**
 * The description of elections in {@code /actuator/elections}, which programs and the page read (protocol.md#events). Fields with unknown
 * values are omitted. Pure.
 */
public final class ElectionJson {

    private final Map<String, Object> json = new LinkedHashMap<>();

    private ElectionJson() {}

    private ElectionJson with(String name, @Nullable Object value) {
        if (value != null) {
            json.put(name, value);
        }
        return this;
    }

    /**
     * Describes all leases and groups of a snapshot.
     *
     * @param summary whether to omit each lease's candidates, history and decisions
     */
    public static Map<String, Object> of(CoordinatorSnapshot snapshot, boolean summary) {
        Map<String, Object> leases = new TreeMap<>();
        snapshot.leases().forEach(view -> {
            ElectionJson lease = new ElectionJson().summary(snapshot, view);
            leases.put(view.key().toString(), summary ? lease.json : lease.details(snapshot, view).json);
        });
        Map<String, Object> groups = new TreeMap<>();
        snapshot.groups().forEach(group -> groups.put(group.key().toString(), group(group)));
        return new ElectionJson().replica(snapshot).with("groups", groups).with("leases", leases).json;
    }

    /** Describes a lease of a snapshot, with the replica of the coordinator that observes it. */
    public static Map<String, Object> of(CoordinatorSnapshot snapshot, ElectionView view) {
        return new ElectionJson()
                .replica(snapshot)
                .with("lease", view.key().toString())
                .summary(snapshot, view)
                .details(snapshot, view)
                .json;
    }

    /** Returns the parts of a description that change only when something happens, not because time passes. */
    public static Object changes(CoordinatorSnapshot snapshot, boolean summary) {
        List<Object> parts = new ArrayList<>();
        parts.add(snapshot.coordinating());
        parts.add(String.valueOf(snapshot.coordinator()));
        parts.add(outages(snapshot));
        for (ElectionView view : snapshot.leases()) {
            parts.add(new ElectionJson().summary(snapshot, view).json);
            if (!summary) {
                parts.add(view);
            }
        }
        return parts;
    }

    private ElectionJson replica(CoordinatorSnapshot snapshot) {
        List<Map<String, Object>> outages = outages(snapshot);
        return with("time", snapshot.time())
                // Whether this replica coordinates; a standby observes and decides nothing.
                .with("coordinating", snapshot.coordinating())
                .with("coordinator", snapshot.coordinator())
                .with("format", snapshot.format() == null ? null : lowerCase(snapshot.format()))
                .with("synced", snapshot.watches().stream().allMatch(WatchStatus::synced))
                .with("outages", outages.isEmpty() ? null : outages);
    }

    /** Describes the interrupted watches, because of which the rest may be out of date. */
    private static List<Map<String, Object>> outages(CoordinatorSnapshot snapshot) {
        return snapshot.watches().stream()
                .filter(watch -> watch.problem() != null)
                .map(watch -> new ElectionJson()
                        .with("kind", watch.kind())
                        .with("since", watch.since())
                        .with("problem", watch.problem())
                        .json)
                .toList();
    }

    private ElectionJson summary(CoordinatorSnapshot snapshot, ElectionView view) {
        LeaseStatus status = LeaseStatus.of(view, snapshot.policy(), snapshot.time());
        return with("state", lowerCase(status.state()))
                .with("holder", view.lease() == null ? null : view.lease().holder())
                .with("since", status.since())
                .with("waitingFor", status.waitingFor())
                .with("next", status.next())
                .with("group", view.group() == null ? null : view.group().key().toString())
                .with(
                        "strategy",
                        new ElectionJson()
                                .with("name", view.strategy().name())
                                .with("source", view.strategy().source().text())
                                .with("problem", view.strategy().problem())
                                .json)
                .with("candidateCount", view.candidates().size())
                .with("problems", status.problems());
    }

    private ElectionJson details(CoordinatorSnapshot snapshot, ElectionView view) {
        Instant now = snapshot.time();
        Lease lease = view.lease();
        if (lease != null) {
            // Who elected the holder; absent if it acquired the lease itself.
            with("electedBy", lease.electedBy())
                    .with("preferredHolder", lease.preferredHolder())
                    // By the holder's clock.
                    .with("acquireTime", lease.acquireTime())
                    .with("leaseDuration", lease.leaseDuration().toSeconds())
                    .with("transitions", lease.transitions());
        }
        return with("holding", lowerCase(view.holdingAt(now)))
                // By the coordinator's clock: when it saw the last renewal, and when the lease expires without another.
                .with("renewedAt", view.renewedAt())
                .with("heldUntil", view.heldUntil())
                .with("endOfTerm", lease != null && lease.endOfTerm())
                .with("candidates", candidates(view))
                .with(
                        "history",
                        new ElectionJson()
                                .with(
                                        "knownSince",
                                        view.past().knownSince() == null
                                                ? now
                                                : view.past().knownSince())
                                .with("withoutLeaderSince", view.vacantSinceAt(now))
                                .with("terms", view.past().terms())
                                .json)
                .with(
                        "lastDecision",
                        view.past().decisions().isEmpty()
                                ? null
                                : view.past().decisions().get(0))
                .with("decisions", view.past().decisions());
    }

    private static Map<String, Object> group(GroupView group) {
        boolean sharded = group.group().isSharded();
        return new ElectionJson()
                .with(sharded ? "shards" : "leases", group.size())
                .with("led", group.led())
                .with("moving", group.moving())
                .with("withoutLeader", group.withoutLeader())
                .with(sharded ? "shardsByLeader" : "leasesByLeader", group.leasesByLeader())
                // The number of candidates that request each other number of shards; absent if none does.
                .with("waiting", group.waiting().isEmpty() ? null : group.waiting())
                .json;
    }

    private static List<Map<String, Object>> candidates(ElectionView view) {
        List<Map<String, Object>> candidates = new ArrayList<>();
        Candidate above = null;
        for (Standing standing : view.candidates()) {
            Candidate candidate = standing.candidate();
            candidates.add(new ElectionJson()
                    .with("rank", candidates.size() + 1)
                    .with("name", candidate.identity())
                    .with("ranksBelow", RankReason.of(above, standing, view.strategy()))
                    .with("binaryVersion", text(candidate.binaryVersion()))
                    .with("compatibilityVersion", text(candidate.compatibilityVersion()))
                    .with("priority", candidate.priority())
                    .with("strategy", candidate.strategy())
                    .with("answer", lowerCase(standing.answer()))
                    .with("acknowledgedAt", standing.acknowledgedAt())
                    .with(
                            "pod",
                            candidate.pod() == null
                                    ? null
                                    : text(candidate.pod().key()))
                    .json);
            above = candidate;
        }
        return candidates;
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }
}
