package io.cle.test.simulation.internal.checker;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.test.simulation.internal.cluster.CandidateProcess;
import io.cle.test.simulation.internal.cluster.Contender;
import io.cle.test.simulation.internal.cluster.SimulatedCluster;
import io.cle.test.simulation.internal.cluster.SimulatedCluster.Member;
import io.cle.test.simulation.internal.process.VirtualProcess;
import io.cle.test.simulation.scenario.ClusterKind;
import io.cle.test.simulation.scenario.Excuse;
import io.cle.test.simulation.scenario.Scenario;
import org.jspecify.annotations.Nullable;

/** Which candidate has to lead once there are no faults, determined without the code that is checked. */
public final class Expectation {

    /** How {@link #describe} begins if the only problem is that some candidates lead more shards than others. */
    public static final String UNEVEN = "the shards are led unevenly";

    private static final Comparator<Candidate> OLDEST =
            Comparator.comparing(Candidate::compatibilityVersion).thenComparing(Candidate::binaryVersion);
    private static final Comparator<Candidate> NEWEST = OLDEST.reversed();
    private static final Comparator<Candidate> HIGHEST_PRIORITY =
            Comparator.comparing(Candidate::priority, Comparator.nullsLast(Comparator.reverseOrder()));

    private final SimulatedCluster cluster;
    private final Checker checker;
    private final Scenario scenario;

    /** What is expected of a cluster. */
    public Expectation(Scenario scenario, SimulatedCluster cluster, Checker checker) {
        this.scenario = scenario;
        this.cluster = cluster;
        this.checker = checker;
    }

    /**
     * The leaders, if they are the right ones; none otherwise. Without shards, one process leads and no candidate is better. With shards, all
     * shards of one number have leaders, as evenly as pinned ones allow, and no others.
     */
    public List<Contender> rightLeaders() {
        if (!cluster.groups().isEmpty()) {
            List<Contender> leaders = leadersOfShards();
            return problemOfShards(leaders).isEmpty() ? leaders : List.of();
        }
        Contender leader = checker.leader(Scenario.LEASE);
        return leader == null || !better(leader).isEmpty() ? List.of() : List.of(leader);
    }

    /** The leaders, if the lease or each shard has one and all are among these processes; none otherwise. */
    public List<Contender> leadersAmong(Predicate<VirtualProcess> processes) {
        List<Contender> leaders = cluster.members().stream()
                .flatMap(member -> member.contenders().stream())
                .filter(Contender::leads)
                .filter(leader -> processes.test(leader.process()))
                .toList();
        if (leaders.isEmpty()) {
            return List.of();
        }
        LeaseGroup group = leaders.get(0).group();
        if (group == null) {
            return List.of(leaders.get(0));
        }
        return unled(group, leaders).isEmpty() ? leaders : List.of();
    }

    private List<Contender> leadersOfShards() {
        return cluster.members().stream()
                .flatMap(member -> member.contenders().stream())
                .filter(Contender::leads)
                .sorted(Comparator.comparing(leader -> leader.lease().name()))
                .toList();
    }

    /** What is wrong with the shards' leaders; empty if nothing. */
    private String problemOfShards(List<Contender> leaders) {
        if (leaders.isEmpty()) {
            return "nobody leads";
        }
        LeaseGroup group = leaders.get(0).group();
        if (group == null) {
            return leaders.size() > 1
                    ? "the lease is led without shards, and so is "
                            + leaders.get(1).lease()
                    : better(leaders.get(0)).isEmpty() ? "" : "better are " + better(leaders.get(0));
        }
        Map<Member, Integer> led = new LinkedHashMap<>();
        Set<Member> leadMovable = new LinkedHashSet<>();
        for (Member member : cluster.members()) {
            if (group.equals(member.contender().group())) {
                led.put(member, 0);
            }
        }
        for (Contender leader : leaders) {
            if (!group.equals(leader.group())) {
                return leader.lease() + " is led, and so is " + leaders.get(0).lease();
            }
            Member member = memberOf(leader);
            led.merge(member, 1, Integer::sum);
            if (!isPinned(leader.lease())) {
                leadMovable.add(member);
            } else if (!better(leader).isEmpty()) {
                return leader.lease() + " is pinned to a strategy, is led by "
                        + leader.process().name() + ", and better are " + better(leader);
            }
        }
        List<ObjectKey> unled = unled(group, leaders);
        if (!unled.isEmpty()) {
            return unled + " are not led";
        }
        int fewest = Collections.min(led.values());
        return leadMovable.stream().allMatch(member -> led.getOrDefault(member, 0) <= fewest + 1)
                ? ""
                : UNEVEN + ": " + led.values() + " by " + group;
    }

    private Member memberOf(Contender leader) {
        return cluster.members().stream()
                .filter(member -> member.contenders().contains(leader))
                .findFirst()
                .orElseThrow();
    }

    /** The shards without a leader. */
    private List<ObjectKey> unled(LeaseGroup group, List<Contender> leaders) {
        Set<ObjectKey> led = leaders.stream().map(Contender::lease).collect(Collectors.toSet());
        return group.leases().stream().filter(lease -> !led.contains(lease)).toList();
    }

    /** Whether an administrator's strategy decides who leads a shard, instead of spreading. */
    private boolean isPinned(ObjectKey shard) {
        String strategy = strategyOf(shard);
        return !strategy.isEmpty() && !strategy.equals("Balanced");
    }

    private String strategyOf(ObjectKey shard) {
        LeaseView lease = checker.lease(shard);
        String strategy = lease == null || lease.strategy() == null ? "" : lease.strategy();
        return strategy.substring(strategy.indexOf('/') + 1);
    }

    /** What is excused at the end of this run. */
    public Set<Excuse> notDemanded() {
        Set<Excuse> excuses = EnumSet.noneOf(Excuse.class);
        if (!scenario.comesToALeader()) {
            excuses.add(Excuse.KUBE_APISERVER_WITH_SKEWED_CLOCKS);
        }
        if (mixedFormats()) {
            excuses.add(Excuse.MIXED_FORMATS);
        }
        return excuses;
    }

    /** For a person. */
    public String describe() {
        if (!cluster.groups().isEmpty()) {
            return problemOfShards(leadersOfShards());
        }
        Contender leader = checker.leader(Scenario.LEASE);
        return leader == null
                ? "there is no leader"
                : leader.process().name() + " leads, and better are " + better(leader);
    }

    /** The candidates that are better than the leader; none without a coordinator, or if the leader follows none. */
    private List<String> better(Contender leader) {
        List<String> better = new ArrayList<>();
        Comparator<Candidate> order = criteria(leader.lease());
        Candidate best = leader instanceof CandidateProcess leading ? leading.candidate() : null;
        if (order == null || best == null) {
            return better;
        }
        for (Member member : cluster.members()) {
            if (member.coordinated()
                    && Objects.equals(member.contender().group(), leader.group())
                    && member.contender() instanceof CandidateProcess candidate
                    && order.compare(Objects.requireNonNull(candidate.candidate()), best) < 0) {
                better.add(member.process().name());
            }
        }
        return better;
    }

    /** Whether both formats may be in use: processes that began with the crd format keep it when the native one is served, too. */
    private boolean mixedFormats() {
        return scenario.kind() == ClusterKind.CHANGING
                && cluster.network().server().servesNative();
    }

    /** The effective strategy's criteria; null without a coordinator. */
    private @Nullable Comparator<Candidate> criteria(ObjectKey key) {
        LeaseView lease = checker.lease(key);
        if (lease == null || lease.strategy() == null) {
            return null;
        }
        if (scenario.kind() == ClusterKind.NATIVE) {
            return OLDEST;
        }
        if (cluster.coordinators().isEmpty()) {
            return null;
        }
        if (mixedFormats() || !cluster.network().server().servesCandidates()) {
            return null;
        }
        return switch (inForce(lease)) {
            case "OldestCompatibilityVersion", "MinimumCompatibilityVersion" -> OLDEST;
            case "NewestCompatibilityVersion" -> NEWEST;
            case "HighestPriority" -> HIGHEST_PRIORITY;
            default -> null;
        };
    }

    /** The effective strategy. In the native format, kube-apiserver writes the candidates' wish into the lease's field. */
    private String inForce(LeaseView lease) {
        String onLease = Objects.requireNonNull(lease.strategy());
        String strategy = switch (scenario.kind()) {
            case NATIVE_THIRD_PARTY -> lease.administrators() == null ? scenario.strategy() : onLease;
            case CONFIGURED ->
                onLease.equals(lease.recorded()) ? cluster.configuredStrategy().orElse(scenario.strategy()) : onLease;
            default -> onLease;
        };
        return strategy.substring(strategy.indexOf('/') + 1);
    }
}
