package io.cle.model;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

/**
 * One replica's announcement that it can lead a lease (KEP-4355, LeaseCandidate). One model for both wire formats; absent
 * fields are {@code null}. Immutable; change it by {@link #toBuilder()}. Only this project implements it; later versions may add methods.
 */
public sealed interface Candidate permits CandidateFields {

    /** Its namespace and name; the name is the holder identity when it's elected. */
    ObjectKey key();

    /** The API server's version of the object it was read from; {@code null} for one never stored. */
    @Nullable
    String resourceVersion();

    /** The lease it can lead. */
    ObjectKey lease();

    /** The version of its program. */
    @Nullable
    Version binaryVersion();

    /** The version it is compatible with (the native format's emulation version). */
    @Nullable
    Version compatibilityVersion();

    /** KEP-2835's key for the strategy {@code HighestPriority}. */
    @Nullable
    Integer priority();

    /** The strategy it asks for. */
    String strategy();

    /** How long it remains a candidate after a renewal. */
    Duration validity();

    /** When it last renewed or acknowledged, by its own wall clock. */
    @Nullable
    Instant renewTime();

    /** Since when it is asked to acknowledge; {@code null} when it isn't. */
    @Nullable
    Instant pingTime();

    /** When the API server created the object; {@code null} for one never stored. */
    @Nullable
    Instant creationTime();

    /** The pod it runs in, where it is known. */
    @Nullable
    PodRef pod();

    /** A candidate that was never stored, to build on. */
    static Builder builder(ObjectKey key, ObjectKey lease) {
        return new Builder(key, lease);
    }

    /** A builder that starts from this candidate. */
    default Builder toBuilder() {
        return new Builder(this);
    }

    /** The identity it holds the lease under when it's elected: its name. */
    default String identity() {
        return key().name();
    }

    /** Whether it has been asked to acknowledge and hasn't yet (KEP-4355: a renewal not before the ping is the answer). */
    default boolean ackPending() {
        Instant asked = pingTime();
        Instant renewed = renewTime();
        return asked != null && (renewed == null || renewed.isBefore(asked));
    }

    /**
     * A time to ask it to acknowledge at, now or later: one that it can answer only by another renewal, also where its clock is ahead of
     * the asker's, so that it has renewed in what is the future there.
     */
    default Instant nextPing(Instant now) {
        Instant renewed = renewTime();
        return renewed == null || renewed.isBefore(now) ? now : renewed.plus(1, ChronoUnit.MICROS);
    }

    /** Builds a {@link Candidate}. Not thread-safe. */
    final class Builder {
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
            key = candidate.key();
            lease = candidate.lease();
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
            return new CandidateFields(
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
