package io.cle.lock.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.Objects;

import io.cle.model.PodRef;
import io.cle.model.internal.Lease;
import io.cle.model.internal.LeaseObservation;
import io.cle.model.internal.Moment;
import io.cle.model.internal.TermAnnotation;
import org.jspecify.annotations.Nullable;

/** The records that a lock writes. When it writes them is {@link LockMachine}'s decision. Rule: {@code safety.md#mixed-electors}. */
final class LeaseWrites {

    /**
     * How long a lease that was handed over waits for its new holder to begin a term. As short as kube-apiserver's own coordinator has
     * it: the new holder is alive, it acknowledged a moment ago.
     */
    private static final Duration GRANTED = Duration.ofSeconds(5);

    /** The longest duration that the field of a Lease holds. */
    private static final Duration LONGEST = Duration.ofSeconds(Integer.MAX_VALUE);

    private LeaseWrites() {}

    /**
     * Who writes.
     *
     * @param nonce tells the process from others of the same identity
     * @param write tells the write from those of a copy of the process
     */
    record Writer(String nonce, String write) {}

    /** The write whose success begins a term. */
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

    /** By it the admission policy tells this pod from another one whose name is taken for the holder's; {@code null} where it isn't known. */
    private static @Nullable String holderPod(LockConfig config) {
        PodRef pod = config.candidacy() == null
                ? null
                : config.candidacy().template().pod();
        return pod == null ? null : pod.onLease();
    }

    /** Differs from the one on the record: the term annotation made of it tells two terms of one process apart. */
    private static Instant acquireTime(LockConfig config, Lease base, Moment now) {
        Instant time = writable(config, now.wall());
        return time.equals(base.acquireTime()) ? time.plus(config.renewTimeStep()) : time;
    }

    /** A coordinated candidate says that it follows a coordinator, also if an edit has removed that. */
    private static Lease listening(LockConfig config, Lease held) {
        return config.coordinated() && held.electedBy() == null
                ? held.toBuilder().electedBy(LockConfig.Fallback.ELECTED_BY).build()
                : held;
    }

    /**
     * The write that renews a term. A leader writes what it knows of its own term, never what it has read, so that it doesn't repeat an edit
     * ({@code safety.md#own-record}); all else on the record is left as it is. The renew time grows, whatever the wall clock does: a plain elector that has
     * missed renewals takes a time that is written twice for that of a dead leader.
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
                .build();
        return listening(config, renewed);
    }

    /**
     * The write that gives the lease away: to the successor that this process has named; else to the preferred holder; without one, to
     * none, which makes it free at once ({@code safety.md#drain-before-release}).
     *
     * @param successor the candidate that this process has named when it resigned; {@code null} if it named none
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
                .transitions(current.nextTransitions())
                .build();
    }

    /** The write that asks the holder to yield to this process (KEP-2835). */
    static Lease yieldRequest(LockConfig config, Lease current) {
        String key = config.takeover() == null ? "" : config.takeover().key();
        return current.toBuilder().endOfTerm(config.identity(), key).build();
    }

    /**
     * The write that preempts a holder. The holder can't renew any more, but may lead until its last renewal has run out. The record's
     * duration keeps other processes away for that time and for this process's own; the write that begins its term shortens it to its own.
     * A holder that had itself preempted another one, and whose term hasn't begun, may lead no longer than that one.
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

    /** Rounded up: a wait may be longer than what is waited for, not shorter. */
    private static Duration wholeSeconds(long nanos) {
        return Duration.ofSeconds(Duration.ofNanos(Math.max(nanos, 0) - 1).toSeconds() + 1);
    }

    /** Now, or the next time that the format can tell from the one on the record: other processes see a renewal by a changed time. */
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

    /** A time as it will be read again: the term annotation repeats the acquire time that it was written with. */
    private static Instant writable(LockConfig config, Instant time) {
        return time.minusNanos(
                time.get(ChronoField.NANO_OF_SECOND) % config.renewTimeStep().toNanos());
    }
}
