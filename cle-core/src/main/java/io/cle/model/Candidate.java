package io.cle.model;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * One replica's announcement that it can lead a lease (KEP-4355, LeaseCandidate). One model for both wire formats; absent
 * fields are {@code null}. Immutable; change it by {@link #toBuilder()}.
 *
 * @param key its namespace and name; the name is the holder identity when it's elected
 * @param resourceVersion the API server's version of the object it was read from; {@code null} for one never stored
 * @param lease the lease it can lead
 * @param binaryVersion the version of its program
 * @param compatibilityVersion the version it is compatible with (the native format's emulation version)
 * @param priority KEP-2835's key for the strategy {@code HighestPriority}
 * @param strategy the strategy it asks for
 * @param validity how long after a renewal it still counts as a candidate
 * @param renewTime when it last renewed or acknowledged, by its own wall clock
 * @param pingTime since when it is asked to acknowledge; {@code null} when it isn't
 * @param creationTime when the API server created the object; {@code null} for one never stored
 * @param pod the pod it runs in, where it is known
 */
public record Candidate(
        ObjectKey key,
        @Nullable String resourceVersion,
        ObjectKey lease,
        @Nullable Version binaryVersion,
        @Nullable Version compatibilityVersion,
        @Nullable Integer priority,
        String strategy,
        Duration validity,
        @Nullable Instant renewTime,
        @Nullable Instant pingTime,
        @Nullable Instant creationTime,
        @Nullable PodRef pod) {

    /** A candidate that was never stored, to build on. */
    public static Builder builder(ObjectKey key, ObjectKey lease) {
        return new Builder(key, lease);
    }

    /** A builder that starts from this candidate. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** The identity it holds the lease under when it's elected: its name. */
    public String identity() {
        return key.name();
    }

    /** Whether it has been asked to acknowledge and hasn't yet (KEP-4355: a renewal not before the ping is the answer). */
    public boolean ackPending() {
        return pingTime != null && (renewTime == null || renewTime.isBefore(pingTime));
    }

    /**
     * A time to ask it to acknowledge at, now or later: one that it can answer only by another renewal, also where its clock is ahead of
     * the asker's, so that it has renewed in what is the future there.
     */
    public Instant nextPing(Instant now) {
        return renewTime == null || renewTime.isBefore(now) ? now : renewTime.plus(1, ChronoUnit.MICROS);
    }

    /** Builds a {@link Candidate}. Not thread-safe. */
    public static final class Builder {
        private final ObjectKey key;
        private final ObjectKey lease;
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

        private Builder(ObjectKey key, ObjectKey lease) {
            this.key = key;
            this.lease = lease;
        }

        private Builder(Candidate candidate) {
            key = candidate.key;
            lease = candidate.lease;
            resourceVersion = candidate.resourceVersion;
            binaryVersion = candidate.binaryVersion;
            compatibilityVersion = candidate.compatibilityVersion;
            priority = candidate.priority;
            strategy = candidate.strategy;
            validity = candidate.validity;
            renewTime = candidate.renewTime;
            pingTime = candidate.pingTime;
            creationTime = candidate.creationTime;
            pod = candidate.pod;
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

        /** The candidate. */
        public Candidate build() {
            return new Candidate(
                    key,
                    resourceVersion,
                    lease,
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
