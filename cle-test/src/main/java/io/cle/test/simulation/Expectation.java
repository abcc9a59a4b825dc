package io.cle.test.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

import io.cle.lock.LockKind;
import io.cle.model.Candidate;
import io.cle.test.simulation.Cluster.Member;
import org.jspecify.annotations.Nullable;

/** Who is to lead once all is well, worked out from what there is, without the code that is checked. */
final class Expectation {

    private final Cluster cluster;
    private final Checker checker;
    private final Scenario scenario;

    Expectation(Scenario scenario, Cluster cluster, Checker checker) {
        this.scenario = scenario;
        this.cluster = cluster;
        this.checker = checker;
    }

    /** The leader, if it is the right one; null when nobody leads, or somebody else. */
    @Nullable
    Contender rightLeader() {
        Contender leader = checker.leader(Cluster.LEASE);
        return leader == null || better(leader).isEmpty() ? leader : null;
    }

    /** For a person. */
    String describe() {
        Contender leader = checker.leader(Cluster.LEASE);
        return leader == null ? "nobody leads" : leader.process().name() + " leads, and better are " + better(leader);
    }

    /** Who would have to lead in the leader's stead: none where nobody coordinates, or the leader listens to no coordinator. */
    private List<String> better(Contender leader) {
        List<String> better = new ArrayList<>();
        Comparator<Candidate> order = criteria();
        if (order == null || !(leader instanceof CandidateProcess leading) || leading.candidate() == null) {
            return better;
        }
        for (Member member : cluster.members()) {
            if (member.kind() == LockKind.COORDINATED
                    && member.contender() instanceof CandidateProcess candidate
                    && order.compare(Objects.requireNonNull(candidate.candidate()), leading.candidate()) < 0) {
                better.add(member.process().name());
            }
        }
        return better;
    }

    /** What the strategy in force goes by; null where nobody coordinates. */
    private @Nullable Comparator<Candidate> criteria() {
        LeaseView lease = checker.lease(Cluster.LEASE);
        if (lease == null || lease.strategy() == null) {
            return null;
        }
        if (scenario.kind() == ClusterKind.NATIVE) {
            return Comparator.comparing(Candidate::compatibilityVersion).thenComparing(Candidate::binaryVersion);
        }
        if (cluster.coordinators().isEmpty()) {
            return null;
        }
        return switch (inForce(lease.strategy(), lease.administrators())) {
            case "OldestCompatibilityVersion", "MinimumCompatibilityVersion" ->
                Comparator.comparing(Candidate::compatibilityVersion).thenComparing(Candidate::binaryVersion);
            case "NewestCompatibilityVersion" ->
                Comparator.comparing(Candidate::compatibilityVersion)
                        .thenComparing(Candidate::binaryVersion)
                        .reversed();
            case "HighestPriority" ->
                Comparator.comparing(Candidate::priority, Comparator.nullsLast(Comparator.reverseOrder()));
            default -> null;
        };
    }

    /** In the native format the field on the lease is kube-apiserver's, which writes what the candidates ask for there. */
    private String inForce(String onLease, @Nullable String administrators) {
        String strategy = administrators == null && scenario.kind() == ClusterKind.NATIVE_THIRD_PARTY
                ? scenario.strategy()
                : onLease;
        return strategy.substring(strategy.indexOf('/') + 1);
    }
}
