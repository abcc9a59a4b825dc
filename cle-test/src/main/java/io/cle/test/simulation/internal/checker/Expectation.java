package io.cle.test.simulation.internal.checker;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.cle.model.Candidate;
import io.cle.test.simulation.ClusterKind;
import io.cle.test.simulation.Excuse;
import io.cle.test.simulation.Scenario;
import io.cle.test.simulation.internal.cluster.CandidateProcess;
import io.cle.test.simulation.internal.cluster.Contender;
import io.cle.test.simulation.internal.cluster.SimulatedCluster;
import io.cle.test.simulation.internal.cluster.SimulatedCluster.Member;
import org.jspecify.annotations.Nullable;

/** Which candidate has to lead once there are no faults, determined without the code that is checked. */
public final class Expectation {

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

    /** The leader, if no candidate is better; null otherwise. */
    @Nullable
    public Contender rightLeader() {
        Contender leader = checker.leader(Scenario.LEASE);
        return leader == null || better(leader).isEmpty() ? leader : null;
    }

    /** What is not demanded of this run in its end. */
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
        Contender leader = checker.leader(Scenario.LEASE);
        return leader == null
                ? "there is no leader"
                : leader.process().name() + " leads, and better are " + better(leader);
    }

    /** The candidates that are better than the leader; none without a coordinator, or if the leader follows none. */
    private List<String> better(Contender leader) {
        List<String> better = new ArrayList<>();
        Comparator<Candidate> order = criteria();
        Candidate best = leader instanceof CandidateProcess leading ? leading.candidate() : null;
        if (order == null || best == null) {
            return better;
        }
        for (Member member : cluster.members()) {
            if (member.coordinated()
                    && member.contender() instanceof CandidateProcess candidate
                    && order.compare(Objects.requireNonNull(candidate.candidate()), best) < 0) {
                better.add(member.process().name());
            }
        }
        return better;
    }

    /** Those that began in the crd format before the native one came to be served keep it. Without the native one there is only one to use. */
    private boolean mixedFormats() {
        return scenario.kind() == ClusterKind.CHANGING
                && cluster.network().server().servesNative();
    }

    /** The criteria of the strategy in force; null without a coordinator. */
    private @Nullable Comparator<Candidate> criteria() {
        LeaseView lease = checker.lease(Scenario.LEASE);
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

    /** In the native format the field on the lease is kube-apiserver's, which writes what the candidates ask for there. */
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
