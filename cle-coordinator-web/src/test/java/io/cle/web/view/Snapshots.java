package io.cle.web.view;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

import io.cle.ApiFormat;
import io.cle.election.internal.CandidateObservation.Answer;
import io.cle.election.internal.ElectionPolicy;
import io.cle.election.internal.ElectionView;
import io.cle.election.internal.ElectionView.PastDecision;
import io.cle.election.internal.ElectionView.PastTerm;
import io.cle.election.internal.ElectionView.Standing;
import io.cle.election.internal.StrategyChoice;
import io.cle.election.internal.StrategyRule;
import io.cle.election.internal.WatchStatus;
import io.cle.model.Candidate;
import io.cle.model.LeaseGroup;
import io.cle.model.ObjectKey;
import io.cle.model.PodRef;
import io.cle.model.Version;
import io.cle.model.internal.Lease;
import io.cle.model.internal.TermAnnotation;
import io.cle.strategy.internal.Strategies;
import org.jspecify.annotations.Nullable;

/** Builds example snapshots of a coordinator. */
public final class Snapshots {

    /** The time of the snapshots, unless another one is given. */
    public static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private Snapshots() {}

    /** Returns the snapshot of a coordinating replica. */
    public static CoordinatorSnapshot of(ElectionView... leases) {
        return at(NOW, List.of(leases));
    }

    /** Returns the snapshot of a coordinating replica at a time. */
    public static CoordinatorSnapshot at(Instant time, List<ElectionView> leases) {
        return new CoordinatorSnapshot(
                time,
                true,
                "coordinator-1",
                List.of(new WatchStatus("leases", true, time, null)),
                ElectionPolicy.DEFAULT,
                ApiFormat.CRD,
                leases);
    }

    /** Starts a lease without a holder, candidates or history. */
    public static Builder lease(String namespace, String name) {
        return new Builder(new ObjectKey(namespace, name));
    }

    /** Returns a candidate with a version and a pod of its own name. */
    public static Candidate candidate(ObjectKey lease, String name, String version) {
        ObjectKey key = new ObjectKey(lease.namespace(), name);
        return Candidate.builder(key, lease)
                .binaryVersion(Version.parse(version))
                .compatibilityVersion(Version.parse(version))
                .creationTime(NOW.minus(Duration.ofMinutes(5)))
                .pod(new PodRef(new ObjectKey(lease.namespace(), name + "-pod"), "uid-" + name))
                .build();
    }

    /** Returns a candidate for the shards of a group, with a version. */
    public static Candidate candidate(LeaseGroup group, String name, String version) {
        return Candidate.builder(new ObjectKey(group.namespace(), name), group)
                .strategy("Balanced")
                .binaryVersion(Version.parse(version))
                .compatibilityVersion(Version.parse(version))
                .creationTime(NOW.minus(Duration.ofMinutes(5)))
                .build();
    }

    /** Builds a {@link ElectionView}. Not thread-safe. */
    public static final class Builder {

        private final ObjectKey key;
        private final List<Standing> candidates = new ArrayList<>();
        private final List<String> problems = new ArrayList<>();
        private final List<PastDecision> decisions = new ArrayList<>();
        private final List<PastTerm> terms = new ArrayList<>();
        private Instant now = NOW;
        private @Nullable Lease lease;
        private @Nullable Instant renewedAt;
        private @Nullable Instant heldUntil;
        private @Nullable String strategy;
        private @Nullable Instant knownSince;
        private @Nullable LeaseGroup group;

        private Builder(ObjectKey key) {
            this.key = key;
        }

        /** Sets the time that the other methods count from. */
        public Builder now(Instant value) {
            now = value;
            return this;
        }

        /** Adds a candidate that has acknowledged. */
        public Builder candidate(String name, String version) {
            return candidate(Snapshots.candidate(key, name, version), Answer.ACKNOWLEDGED);
        }

        /** Adds a candidate. */
        public Builder candidate(Candidate candidate, Answer answer) {
            candidates.add(new Standing(candidate, answer, now.minusSeconds(answer == Answer.SILENT ? 48 : 2), null));
            return this;
        }

        /** Sets a holder that has led for a time, and renewed a second ago. */
        public Builder ledBy(String holder, Duration length) {
            return heldBy(Lease.builder(key)
                            .holder(holder)
                            .electedBy("coordinated-election-controller")
                            .acquireTime(now.minus(length))
                            .renewTime(now.minusSeconds(1))
                            .managed(true)
                            .build())
                    .term(new PastTerm(holder, now.minus(length), null));
        }

        /** Sets an elected holder that hasn't begun its term; no claim of a term delays another election. */
        public Builder elected(String holder, Duration ago) {
            Instant granted = now.minus(ago);
            lease = Lease.builder(key)
                    .holder(holder)
                    .electedBy("coordinated-election-controller")
                    .acquireTime(granted)
                    .renewTime(granted)
                    .managed(true)
                    .term(TermAnnotation.granted(holder, granted, TermAnnotation.Ended.NOTHING))
                    .build();
            renewedAt = granted;
            heldUntil = granted;
            return this;
        }

        /** Sets the lease, renewed a second ago. */
        public Builder heldBy(Lease value) {
            lease = value;
            return renewedBefore(Duration.ofSeconds(1));
        }

        /** Sets how long ago the last renewal was seen. */
        public Builder renewedBefore(Duration ago) {
            renewedAt = now.minus(ago);
            heldUntil = now.minus(ago).plus(Duration.ofSeconds(15));
            return this;
        }

        /** Changes the lease. */
        public Builder change(UnaryOperator<Lease.Builder> change) {
            lease = change.apply((lease == null ? Lease.builder(key).build() : lease).toBuilder())
                    .build();
            return this;
        }

        /** Sets for how long the lease has been observed; by default since its first term. */
        public Builder knownFor(Duration length) {
            knownSince = now.minus(length);
            return this;
        }

        /** Adds a term. */
        public Builder term(PastTerm term) {
            terms.add(term);
            return this;
        }

        /** Adds a decision, older than those before. */
        public Builder decided(Duration ago, String reason) {
            decisions.add(new PastDecision(now.minus(ago), reason));
            return this;
        }

        /** Adds a problem. */
        public Builder problem(String text) {
            problems.add(text);
            return this;
        }

        /** Sets the strategy on the lease. */
        public Builder strategy(String name) {
            strategy = name;
            return this;
        }

        /** Makes the lease part of a group. */
        public Builder inGroup(LeaseGroup value) {
            group = value;
            return this;
        }

        /** Builds the view. */
        public ElectionView build() {
            return new ElectionView(
                    key,
                    lease,
                    choice(),
                    List.copyOf(candidates),
                    List.copyOf(problems),
                    renewedAt,
                    heldUntil,
                    new ElectionView.Past(
                            List.copyOf(decisions),
                            List.copyOf(terms),
                            knownSince != null || terms.isEmpty()
                                    ? knownSince
                                    : terms.get(0).from(),
                            Duration.ZERO,
                            vacantSince()),
                    group);
        }

        private @Nullable Instant vacantSince() {
            if (!terms.isEmpty()) {
                return terms.get(terms.size() - 1).until();
            }
            return decisions.isEmpty()
                    ? knownSince
                    : decisions.get(decisions.size() - 1).time();
        }

        private StrategyChoice choice() {
            Lease asked = strategy == null
                    ? lease
                    : Lease.builder(key).strategy(strategy).build();
            return new StrategyRule(Strategies.builtIn())
                    .choose(
                            asked,
                            Optional.empty(),
                            Optional.empty(),
                            candidates.stream().map(Standing::candidate).toList(),
                            ApiFormat.CRD);
        }
    }
}
