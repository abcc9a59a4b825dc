package io.cle.model;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * The announcement of a process that it can lead a lease (KEP-4355, LeaseCandidate). The same model is used for both wire formats; absent
 * fields are {@code null}. Immutable; {@link #toBuilder()} makes a changed copy. Implemented by this project only; later versions may add
 * methods.
 */
public sealed interface Candidate permits CandidateFields {

    /** The value of {@code elected-by} on a lease that a candidate acquired without a coordinator; such a holder still follows one. */
    String FALLBACK = "candidate-fallback";

    /** Returns its namespace and name; the name is the holder identity if it is elected. */
    ObjectKey key();

    /** Returns the resourceVersion of the object it was read from; {@code null} if it was never stored. */
    @Nullable
    String resourceVersion();

    /** Returns the lease it can lead; for a candidate of a group, the group's {@linkplain LeaseGroup#pattern() pattern}. */
    ObjectKey lease();

    /** Returns the group whose leases it can lead; {@code null} if it is a candidate for one lease. */
    @Nullable
    LeaseGroup group();

    /** Returns the leases it can lead, in their order; some or all of those of its group. Unmodifiable. */
    Set<ObjectKey> leases();

    /** Returns the version of its program. */
    @Nullable
    Version binaryVersion();

    /** Returns the version it is compatible with (the native format's emulation version). */
    @Nullable
    Version compatibilityVersion();

    /** Returns the integer that the strategy {@code HighestPriority} compares. */
    @Nullable
    Integer priority();

    /** Returns the strategy it asks for. */
    String strategy();

    /** Returns how long it remains a candidate after a renewal. */
    Duration validity();

    /** Returns when it last renewed or acknowledged a ping, by its own wall clock. */
    @Nullable
    Instant renewTime();

    /** Returns the time of the last ping; {@code null} if it was never pinged. */
    @Nullable
    Instant pingTime();

    /** Returns when the API server created the object; {@code null} if it was never stored. */
    @Nullable
    Instant creationTime();

    /** Returns the pod it runs in; {@code null} if unknown. */
    @Nullable
    PodRef pod();

    /** Returns a builder for a new candidate for one lease. */
    static Builder builder(ObjectKey key, ObjectKey lease) {
        return new Builder(key, lease, null, List.of(lease));
    }

    /**
     * Returns a builder for a new candidate for all shards of a group. If the group's leases have names of their own,
     * {@linkplain Builder#leases(Collection) set} those that the candidate can lead.
     */
    static Builder builder(ObjectKey key, LeaseGroup group) {
        return new Builder(key, group.pattern(), group, group.leases());
    }

    /** Returns the shards of its group that it can't lead at present; empty if there are none. */
    default Set<Integer> withdrawnShards() {
        LeaseGroup ofGroup = group();
        return ofGroup == null
                ? Set.of()
                : IntStream.range(0, ofGroup.shards())
                        .filter(shard -> !leases().contains(ofGroup.lease(shard)))
                        .boxed()
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns whether it can lead a lease. */
    default boolean canLead(ObjectKey other) {
        return leases().contains(other);
    }

    /** Returns a builder initialized with this candidate's fields. */
    default Builder toBuilder() {
        return new Builder(this);
    }

    /** Returns the holder identity if it is elected: its name. */
    default String identity() {
        return key().name();
    }

    /** Returns whether it was pinged and hasn't acknowledged yet. A renewal that isn't earlier than the ping is the acknowledgement (KEP-4355). */
    default boolean ackPending() {
        Instant asked = pingTime();
        Instant renewed = renewTime();
        return asked != null && (renewed == null || renewed.isBefore(asked));
    }

    /**
     * Returns the time to write into the next ping: now, or later if the candidate's clock is ahead and its last renewal therefore appears
     * to be in the future. Only another renewal acknowledges that ping.
     */
    default Instant nextPing(Instant now) {
        Instant renewed = renewTime();
        return renewed == null || renewed.isBefore(now) ? now : renewed.plus(1, ChronoUnit.MICROS);
    }

    /** Builds a {@link Candidate}. Not thread-safe. */
    final class Builder {
        private final ObjectKey key;
        private final ObjectKey lease;
        private final @Nullable LeaseGroup group;
        private Set<ObjectKey> leases;
        private @Nullable String resourceVersion;
        private @Nullable Version binaryVersion;
        private @Nullable Version compatibilityVersion;
        private @Nullable Integer priority;
        private String strategy = "OldestCompatibilityVersion";
        private Duration validity = Duration.ofMinutes(10);
        private @Nullable Instant renewTime;
        private @Nullable Instant pingTime;
        private @Nullable Instant creationTime;
        private @Nullable PodRef pod;

        private Builder(ObjectKey key, ObjectKey lease, @Nullable LeaseGroup group, Collection<ObjectKey> leases) {
            this.key = key;
            this.lease = lease;
            this.group = group;
            this.leases = in(group, leases);
        }

        private Builder(Candidate candidate) {
            key = candidate.key();
            lease = candidate.lease();
            group = candidate.group();
            leases = candidate.leases();
            resourceVersion = candidate.resourceVersion();
            binaryVersion = candidate.binaryVersion();
            compatibilityVersion = candidate.compatibilityVersion();
            priority = candidate.priority();
            strategy = candidate.strategy();
            validity = candidate.validity();
            renewTime = candidate.renewTime();
            pingTime = candidate.pingTime();
            creationTime = candidate.creationTime();
            pod = candidate.pod();
        }

        /**
         * See {@link Candidate#leases()}.
         *
         * @throws IllegalStateException if it is a candidate for one lease
         */
        public Builder leases(Collection<ObjectKey> value) {
            if (group == null) {
                throw new IllegalStateException("a candidate for " + lease + " can't lead other leases");
            }
            leases = in(group, value);
            return this;
        }

        private static Set<ObjectKey> in(@Nullable LeaseGroup group, Collection<ObjectKey> leases) {
            return group != null && group.isSharded()
                    ? new ShardLeases(group, leases)
                    : Collections.unmodifiableSet(new TreeSet<>(leases));
        }

        /** See {@link Candidate#resourceVersion()}. */
        public Builder resourceVersion(@Nullable String value) {
            resourceVersion = value;
            return this;
        }

        /** See {@link Candidate#binaryVersion()}. */
        public Builder binaryVersion(@Nullable Version value) {
            binaryVersion = value;
            return this;
        }

        /** See {@link Candidate#compatibilityVersion()}. */
        public Builder compatibilityVersion(@Nullable Version value) {
            compatibilityVersion = value;
            return this;
        }

        /** See {@link Candidate#priority()}. */
        public Builder priority(@Nullable Integer value) {
            priority = value;
            return this;
        }

        /** See {@link Candidate#strategy()}. */
        public Builder strategy(String value) {
            strategy = value;
            return this;
        }

        /** See {@link Candidate#validity()}. */
        public Builder validity(Duration value) {
            validity = value;
            return this;
        }

        /** See {@link Candidate#renewTime()}. */
        public Builder renewTime(@Nullable Instant value) {
            renewTime = value;
            return this;
        }

        /** See {@link Candidate#pingTime()}. */
        public Builder pingTime(@Nullable Instant value) {
            pingTime = value;
            return this;
        }

        /** See {@link Candidate#creationTime()}. */
        public Builder creationTime(@Nullable Instant value) {
            creationTime = value;
            return this;
        }

        /** See {@link Candidate#pod()}. */
        public Builder pod(@Nullable PodRef value) {
            pod = value;
            return this;
        }

        /** Returns the candidate. */
        public Candidate build() {
            return new CandidateFields(
                    key,
                    resourceVersion,
                    lease,
                    group,
                    leases,
                    binaryVersion,
                    compatibilityVersion,
                    priority,
                    strategy,
                    validity,
                    renewTime,
                    pingTime,
                    creationTime,
                    pod);
        }
    }
}
