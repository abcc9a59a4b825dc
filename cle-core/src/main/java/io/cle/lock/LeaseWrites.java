package io.cle.lock;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.util.Objects;

import io.cle.model.Lease;
import io.cle.model.LeaseObservation;
import io.cle.model.Moment;
import io.cle.model.TermMark;
import org.jspecify.annotations.Nullable;

/** What a lock writes into the lease: the records themselves, without the question when. */
final class LeaseWrites {

    /**
     * How long a lease that was handed over waits for its new holder to begin. As short as kube-apiserver's own coordinator has it:
     * the new holder is there, it was asked a moment ago.
     */
    private static final Duration GRANTED = Duration.ofSeconds(5);

    /** What client-go writes on release, so that others of its kind take the lease soon. */
    private static final Duration RELEASED = Duration.ofSeconds(1);

    /** Stands for {@code elected-by} on a lease that a candidate of ours took without a coordinator: it listens to one. */
    static final String FALLBACK = "candidate-fallback";

    private LeaseWrites() {}

    /** The write whose success begins a term. */
    static Lease claim(LockConfig config, @Nullable Lease current, String nonce, Moment now) {
        Lease base = current == null ? Lease.builder(config.lease()).build() : current;
        Instant acquireTime = acquireTime(config, base, now);
        Lease.Builder claim = base.toBuilder()
                .holder(config.identity())
                .leaseDuration(config.timings().leaseDuration())
                .acquireTime(acquireTime)
                .renewTime(stamp(config, base, now))
                .term(mark(config, nonce, acquireTime))
                .holderKey(config.takeover() == null ? null : config.takeover().key())
                .noEndOfTerm();
        if (!base.heldBy(config.identity())) {
            boolean first = current == null || (current.acquireTime() == null && current.renewTime() == null);
            claim.transitions(first ? base.transitions() : base.transitions() + 1);
            claim.electedBy(null);
        }
        if (config.kind() == LockKind.COORDINATED) {
            claim.managed(true);
        }
        return listening(config, claim.build());
    }

    /** Another than the one that stands there: the mark that is made of it tells two terms of one process apart. */
    private static Instant acquireTime(LockConfig config, Lease base, Moment now) {
        Instant time = writable(config, now.wall());
        return time.equals(base.acquireTime()) ? time.plus(config.renewTimeStep()) : time;
    }

    /** A candidate of a coordinator says that it listens to one, also where somebody's edit has taken that off. */
    private static Lease listening(LockConfig config, Lease held) {
        return config.kind() == LockKind.COORDINATED && held.electedBy() == null
                ? held.toBuilder().electedBy(FALLBACK).build()
                : held;
    }

    /** The mark of a term of this process. */
    private static TermMark mark(LockConfig config, String nonce, Instant acquireTime) {
        return TermMark.begun(
                config.identity(), nonce, acquireTime, config.timings().leaseDuration());
    }

    /** The write that lengthens a term. */
    static Lease renewal(LockConfig config, Lease current, String nonce, Moment now) {
        Instant acquireTime = Objects.requireNonNull(current.acquireTime(), "a running term has an acquire time");
        Lease renewed = current.toBuilder()
                .leaseDuration(config.timings().leaseDuration())
                .renewTime(stamp(config, current, now))
                .term(mark(config, nonce, acquireTime))
                .build();
        return listening(config, renewed);
    }

    /** The write that ends a term: to the preferred holder, where there is one, or else to nobody (lock's rule 4). */
    static Lease handOver(LockConfig config, Lease current, Moment now) {
        Instant time = stamp(config, current, now);
        Lease.Builder next = current.toBuilder()
                .acquireTime(time)
                .renewTime(time)
                .holderKey(current.preferredKey())
                .term(null)
                .noEndOfTerm();
        String preferred = current.endOfTerm() ? current.preferredHolder() : null;
        if (preferred == null || preferred.equals(config.identity())) {
            return next.holder(null)
                    .holderKey(null)
                    .electedBy(null)
                    .leaseDuration(RELEASED)
                    .build();
        }
        Duration own = config.timings().leaseDuration();
        return next.holder(preferred)
                .term(TermMark.granted(preferred, time))
                .leaseDuration(own.compareTo(GRANTED) < 0 ? own : GRANTED)
                .transitions(current.transitions() + 1)
                .build();
    }

    /** The write that asks the holder to yield to this process (KEP-2835). */
    static Lease request(LockConfig config, Lease current) {
        String key = config.takeover() == null ? "" : config.takeover().key();
        return current.toBuilder().endOfTerm(config.identity(), key).build();
    }

    /**
     * The write that overrules a holder: it can't renew any more, but may lead until its last renewal has run out. So long this process
     * waits, and so long and its own time nobody else is to take the lease; with the write that begins its term it's its own time. Whom
     * another one has overruled in vain may lead no longer for that.
     */
    static Lease seizure(LockConfig config, LeaseObservation observation, String nonce, Moment now) {
        Lease claim = claim(config, observation.lease(), nonce, now);
        Instant acquireTime = Objects.requireNonNull(claim.acquireTime(), "a claim has an acquire time");
        Duration formerTerm = wholeSeconds(observation.ledUntil() - now.nanos());
        return claim.toBuilder()
                .leaseDuration(config.timings().leaseDuration().plus(formerTerm))
                .term(TermMark.overruling(config.identity(), nonce, acquireTime, formerTerm))
                .build();
    }

    /** Rounded up: a wait may be longer than what is waited for, not shorter. */
    private static Duration wholeSeconds(long nanos) {
        return nanos <= 0
                ? Duration.ZERO
                : Duration.ofSeconds(Duration.ofNanos(nanos - 1).toSeconds() + 1);
    }

    /** Now, or the next time that the format can tell from the one that stands there: others see a renewal by its being another. */
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

    /** A time as it will be read again: a mark has to find the acquire time that it was written with. */
    private static Instant writable(LockConfig config, Instant time) {
        return time.minusNanos(
                time.get(ChronoField.NANO_OF_SECOND) % config.renewTimeStep().toNanos());
    }
}
