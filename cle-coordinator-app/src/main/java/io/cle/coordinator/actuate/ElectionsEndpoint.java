package io.cle.coordinator.actuate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.cle.election.internal.ElectionView;
import io.cle.model.Candidate;
import io.cle.model.ObjectKey;
import io.cle.model.internal.Lease;
import io.cle.strategy.internal.StrategyChoice;
import io.cle.web.CoordinatorSnapshots;
import io.cle.web.view.CoordinatorSnapshot;
import io.cle.web.view.GroupView;
import io.cle.web.view.TimeLine;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * {@code /actuator/elections}: every lease with its candidates in rank order and the last decision's reason (safety.md#reasons). Fields
 * with unknown values are omitted.
 */
@Endpoint(id = "elections")
public class ElectionsEndpoint {

    private final CoordinatorSnapshots snapshots;

    /** Creates an endpoint for a coordinator. */
    public ElectionsEndpoint(CoordinatorSnapshots snapshots) {
        this.snapshots = snapshots;
    }

    /**
     * All elections.
     *
     * @param coordinating whether this replica coordinates; a standby observes and decides nothing
     * @param coordinator the replica that coordinates; absent if none does
     * @param groups the leases that have shards, and the groups of leases with names of their own, by namespace and name
     * @param leases the leases, by namespace and name, with one for each shard
     */
    public record Elections(
            boolean coordinating,
            @Nullable String coordinator,
            Map<String, Map<String, Object>> groups,
            Map<String, Map<String, Object>> leases) {}

    /** Returns all elections. */
    @ReadOperation
    public Elections elections() {
        CoordinatorSnapshot snapshot = snapshots.all();
        Map<String, Map<String, Object>> leases = new TreeMap<>();
        snapshot.leases().forEach(view -> leases.put(view.key().toString(), election(view, snapshot.time())));
        Map<String, Map<String, Object>> groups = new TreeMap<>();
        snapshot.groups().forEach(group -> groups.put(group.key().toString(), group(group)));
        return new Elections(snapshot.coordinating(), snapshot.coordinator(), groups, leases);
    }

    /** Returns one election; {@code null}, and so a 404, if there is no such lease. */
    @ReadOperation
    public @Nullable Map<String, Object> election(@Selector String namespace, @Selector String lease) {
        if (Stream.of(namespace, lease).anyMatch(String::isEmpty)) {
            return null;
        }
        CoordinatorSnapshot snapshot = snapshots.one(new ObjectKey(namespace, lease));
        return snapshot.leases().stream()
                .findFirst()
                .map(view -> election(view, snapshot.time()))
                .orElse(null);
    }

    static Map<String, Object> election(ElectionView view, Instant now) {
        Fields fields = new Fields();
        Lease lease = view.lease();
        if (lease != null) {
            fields.with("holder", lease.holder())
                    // Absent if the holder acquired the lease itself.
                    .with("electedBy", lease.electedBy())
                    .with("preferredHolder", lease.preferredHolder())
                    // Both by the holder's clock.
                    .with("acquireTime", lease.acquireTime())
                    .with("renewTime", lease.renewTime())
                    .with("leaseDuration", lease.leaseDuration().toSeconds())
                    .with("transitions", lease.transitions());
        }
        return fields.with("holding", lowerCase(view.holdingAt(now)))
                .with("endOfTerm", lease != null && lease.endOfTerm())
                .with("group", view.group() == null ? null : text(view.group().key()))
                // Present if another number of shards is in force, so that no process is to lead.
                .with("retired", view.retired() ? true : null)
                .with("strategy", strategy(view.strategy()))
                .with("candidates", candidates(view.candidates()))
                .with("formerCandidates", view.gone())
                .with("history", history(view, now))
                .with("lastDecision", lastDecision(view))
                .with("problems", view.problems())
                .json;
    }

    private static Map<String, Object> group(GroupView group) {
        boolean sharded = group.group().isSharded();
        return new Fields()
                .with(sharded ? "shards" : "leases", group.size())
                .with("led", group.led())
                .with("moving", group.moving())
                .with("withoutLeader", group.withoutLeader())
                .with("moves", group.moves())
                .with(sharded ? "shardsByLeader" : "leasesByLeader", group.leasesByLeader())
                // How many candidates ask for which other number of shards; absent if none does.
                .with("waiting", group.waiting().isEmpty() ? null : group.waiting())
                .json;
    }

    private static Map<String, Object> strategy(StrategyChoice strategy) {
        return new Fields()
                .with("name", strategy.name())
                .with("source", strategy.source().text())
                .with("problem", strategy.problem())
                .json;
    }

    private static List<Map<String, Object>> candidates(List<ElectionView.Standing> bestFirst) {
        List<Map<String, Object>> candidates = new ArrayList<>();
        for (ElectionView.Standing standing : bestFirst) {
            Candidate candidate = standing.candidate();
            candidates.add(new Fields()
                    .with("rank", candidates.size() + 1)
                    .with("name", candidate.identity())
                    .with("binaryVersion", text(candidate.binaryVersion()))
                    .with("compatibilityVersion", text(candidate.compatibilityVersion()))
                    .with("priority", candidate.priority())
                    .with("strategy", candidate.strategy())
                    .with("answer", lowerCase(standing.answer()))
                    .with("renewTime", candidate.renewTime())
                    .with("since", candidate.creationTime())
                    .with(
                            "pod",
                            candidate.pod() == null
                                    ? null
                                    : text(candidate.pod().key()))
                    .with("heldOffUntil", standing.heldOffUntil())
                    .json);
        }
        return candidates;
    }

    /** Returns the terms and gaps. A term ends when its holder releases the lease or hands it over, or else with its last renewal. */
    private static Map<String, Object> history(ElectionView view, Instant now) {
        TimeLine line = TimeLine.of(view, now, TimeLine.Span.ALL);
        return new Fields()
                .with("knownSince", line.knownSince())
                .with("ledPercent", line.ledThousandths() / 1000.0)
                // In seconds.
                .with("withoutLeader", line.vacant().toMillis() / 1000.0)
                .with("withoutLeaderSince", view.vacantSinceAt(now))
                .with("terms", view.terms())
                .json;
    }

    /** Returns the last decision; {@code null} before the first, and on a standby. */
    private static @Nullable Map<String, Object> lastDecision(ElectionView view) {
        return view.reason() == null
                ? null
                : new Fields().with("reason", view.reason()).with("time", view.decidedAt()).json;
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static @Nullable String text(@Nullable Object value) {
        return value == null ? null : value.toString();
    }

    /** Builds a JSON object. */
    private static final class Fields {

        private final Map<String, Object> json = new LinkedHashMap<>();

        Fields with(String name, @Nullable Object value) {
            if (value != null) {
                json.put(name, value);
            }
            return this;
        }
    }
}
