package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.Objects;

import io.cle.model.Candidate;
import io.cle.model.PodRef;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.model.internal.TermAnnotation;
import org.jspecify.annotations.Nullable;

/** Builds the records that a lock writes. {@link LockMachine} decides when they are written. Rule: {@code safety.md#mixed-electors}. */
final class LeaseWrites {

    /**
     * How long a lease that was handed over waits for its new holder to begin a term. As short as in kube-apiserver's own coordinator: the new
     * holder has just acknowledged, so it is alive.
     */
    private static final Duration GRANTED = Duration.ofSeconds(5);

    /** The longest duration that the field of a Lease holds. */
    private static final Duration LONGEST = Duration.ofSeconds(Integer.MAX_VALUE);

    private LeaseWrites() {}

    /**
     * The process that writes.
     *
     * @param nonce distinguishes the process from others of the same identity
     * @param write distinguishes the write from those of a copy of the process
     */
    record Writer(String nonce, String write) {}

    /** Returns the record whose successful write begins a term. */
    static Lease acquisition(LockConfig config, @Nullable Lease current, Writer writer, Moment now) {
        Lease base = current == null ? Lease.builder(config.lease()).build() : current;
        Instant acquireTime = acquireTime(config, base, now);
        Lease.Builder acquisition = base.toBuilder()
                .holder(config.identity())
                .leaseDuration(config.timings().leaseDuration())
                .acquireTime(acquireTime)
                .renewTime(stamp(config, base, now))
                .term(TermAnnotation.begun(
                        writer.nonce(),
                        writer.write(),
                        config.timings().leaseDuration(),
                        config.identity(),
                        acquireTime,
                        base.endedWhenReplaced()))
                .holderPod(holderPod(config))
                .holderKey(config.takeover() == null ? null : config.takeover().key())
                .noEndOfTerm();
        if (!base.heldBy(config.identity())) {
            boolean first = current == null || (current.acquireTime() == null && current.renewTime() == null);
            acquisition.transitions(first ? base.transitions() : base.nextTransitions());
            acquisition.electedBy(null);
        }
        if (config.coordinated()) {
            acquisition.managed(true);
        }
        return listening(config, acquisition.build());
    }

    /** Returns the pod, which lets the admission policy verify that the writing pod is the holder; {@code null} if it isn't known. */
    private static @Nullable String holderPod(LockConfig config) {
        PodRef pod = config.candidacy() == null
                ? null
                : config.candidacy().template().pod();
        return pod == null ? null : pod.onLease();
    }

    /** Returns an acquire time that differs from the record's, so that the term annotation distinguishes two terms of one process. */
    private static Instant acquireTime(LockConfig config, Lease base, Moment now) {
        Instant time = writable(config, now.wall());
        return time.equals(base.acquireTime()) ? time.plus(config.renewTimeStep()) : time;
    }

    /** Sets {@code elected-by} on the record of a coordinated candidate, also after an edit has removed it: the holder follows a coordinator. */
    private static Lease listening(LockConfig config, Lease held) {
        return config.coordinated() && held.electedBy() == null
                ? held.toBuilder().electedBy(Candidate.FALLBACK).build()
                : held;
    }

    /**
     * Returns the record that renews a term. The fields of the term have the values that the leader knows, never those that it has read, which may be
     * edited ({@code safety.md#own-record}); all other fields are kept. The renew time grows even if the wall clock is set back: a plain elector that
     * has missed renewals would regard a leader that writes the same time twice as dead.
     */
    static Lease renewal(LockConfig config, Lease current, LockState.OwnTerm own, Writer writer, Moment now) {
        Instant time = writable(config, now.wall());
        Instant next = own.renewTime().plus(config.renewTimeStep());
        Lease renewed = current.toBuilder()
                .holder(config.identity())
                .leaseDuration(config.timings().leaseDuration())
                .acquireTime(own.annotation().acquireTime())
                .renewTime(next.isAfter(time) ? next : time)
                .transitions(own.transitions())
                .term(own.annotation().withWrite(writer.write()))
                .holderPod(holderPod(config))
                .retiredBy(null)
                .build();
        return listening(config, renewed);
    }

    /**
     * Returns the record that hands the lease over to the successor that this process has named, or else to the preferred holder. Without either, the
     * record releases the lease, which is free at once ({@code safety.md#drain-before-release}).
     *
     * @param successor the candidate that this process named when it resigned; {@code null} if it named none
     */
    static Lease handOver(LockConfig config, Lease current, @Nullable String successor, Moment now) {
        Instant time = stamp(config, current, now);
        Lease.Builder next = current.toBuilder()
                .acquireTime(time)
                .renewTime(time)
                .holderKey(successor == null ? current.preferredKey() : null)
                .term(TermAnnotation.released(current.endedWhenReplaced()))
                .holderPod(null)
                .noEndOfTerm();
        String preferred = successor == null && current.endOfTerm() ? current.preferredHolder() : successor;
        if (preferred == null || preferred.equals(config.identity())) {
            return next.holder(null)
                    .holderKey(null)
                    .electedBy(null)
                    .leaseDuration(Lease.RELEASED)
                    .build();
        }
        Duration own = config.timings().leaseDuration();
        return next.holder(preferred)
                .term(TermAnnotation.granted(preferred, time, current.endedWhenReplaced()))
                .leaseDuration(own.compareTo(GRANTED) < 0 ? own : GRANTED)
                .electedBy(successor == null ? current.electedBy() : LockConfig.HANDED_OVER)
                .transitions(current.nextTransitions())
                .build();
    }

    /** Returns the record that asks the holder to yield to this process (KEP-2835). */
    static Lease yieldRequest(LockConfig config, Lease current) {
        String key = config.takeover() == null ? "" : config.takeover().key();
        return current.toBuilder().endOfTerm(config.identity(), key).build();
    }

    /**
     * Returns the record that preempts a holder. The holder can't renew any more, but may lead until its last renewal has run out. The record's
     * duration makes other processes wait for that time plus this process's own lease duration; the write that begins the term shortens it. If the
     * holder has itself preempted another one and hasn't begun its term, it may lead no longer than that one.
     */
    static Lease preemption(LockConfig config, LeaseObservation observation, Writer writer, Moment now) {
        Lease acquisition = acquisition(config, observation.lease(), writer, now);
        Instant acquireTime = Objects.requireNonNull(acquisition.acquireTime(), "an acquisition has an acquire time");
        Duration formerTerm = wholeSeconds(observation.busyUntil() - now.nanos());
        Duration kept = config.timings().leaseDuration().plus(formerTerm);
        return acquisition.toBuilder()
                .leaseDuration(kept.compareTo(LONGEST) < 0 ? kept : LONGEST)
                .term(TermAnnotation.preempting(
                        writer.nonce(), writer.write(), formerTerm, config.identity(), acquireTime))
                .build();
    }

    /** Rounds up: a wait may be too long, but not too short. */
    private static Duration wholeSeconds(long nanos) {
        return Duration.ofSeconds(Duration.ofNanos(Math.max(nanos, 0) - 1).toSeconds() + 1);
    }

    /**
     * Returns now, or the next time that the format can distinguish from the one on the record: other processes detect a renewal by its changed time.
     */
    private static Instant stamp(LockConfig config, Lease current, Moment now) {
        Instant time = writable(config, now.wall());
        Instant last = current.renewTime();
        if (last == null) {
            return time;
        }
        Instant next = last.plus(config.renewTimeStep());
        boolean clockIsBehind = next.isAfter(time);
        boolean farBehind = next.isAfter(time.plus(config.timings().leaseDuration()));
        return clockIsBehind && !farBehind ? next : time;
    }

    /** Truncates a time to the resolution of the format: the term annotation repeats the acquire time as it will be read. */
    private static Instant writable(LockConfig config, Instant time) {
        return time.minusNanos(
                time.get(ChronoField.NANO_OF_SECOND) % config.renewTimeStep().toNanos());
    }
}
