package io.cle.model.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The term annotation of a lease ({@code safety.md#term-annotation}), which processes that keep the rules add to their records. A leader
 * writes it with each renewal, a candidate with the write that preempts a holder, a coordinator with a grant, and a holder with a hand-over
 * or a release. Immutable.
 *
 * <p>It repeats the holder and the acquire time of its record. If a writer that doesn't know the annotation (client-go, kube-apiserver, an
 * administrator) changes one of the two, the annotation no longer describes the record. Rule: {@code safety.md#own-record}.
 *
 * @param term the unique id of the term or the preemption; {@code null} for a grant and a release, which begin no term
 * @param preempts whether the holder has preempted the previous holder and waits for the end of that term. It doesn't lead by this record
 * @param write distinguishes this write from those of a copy of the process ({@code safety.md#own-record}); {@code null} if {@code term} is
 * @param duration how long after this write the holder's term, or the preempted term, may run. Whole seconds; zero if {@code term} is
 *     {@code null}
 * @param holder the holder of the record that it was written with; {@code null} for a release
 * @param acquireTime the acquire time of that record, in microseconds; {@code null} for a release
 * @param ended the term that ended when the term, the grant or the time without a holder began
 */
public record TermAnnotation(
        @Nullable String term,
        boolean preempts,
        @Nullable String write,
        Duration duration,
        @Nullable String holder,
        @Nullable Instant acquireTime,
        Ended ended) {

    private static final char OF_PROCESS = '.';

    /** Checks that the annotation is of one of the four kinds. */
    public TermAnnotation {
        boolean ofTerm = term != null && write != null && holder != null && !duration.isNegative();
        boolean ofNone = term == null && write == null && !preempts && duration.isZero();
        boolean together = (holder == null) == (acquireTime == null);
        if (!(ofTerm || ofNone) || !together) {
            throw new IllegalArgumentException(
                    "a term annotation is of a term, a preemption, a grant or a release, not of term=" + term
                            + " write=" + write + " duration=" + duration + " holder=" + holder + " acquireTime="
                            + acquireTime);
        }
    }

    /**
     * The citation of what a record ends ({@code safety.md#succession}).
     *
     * @param term the id of the term that ended; {@code null} if it had none, as with a plain elector; {@link #ALL} if an administrator
     *     ends all terms
     * @param after the resourceVersion of the record that was replaced; {@code null} if there was no record
     */
    public record Ended(@Nullable String term, @Nullable String after) {

        /** Used instead of a term id by the administrator's line, which ends all claims. */
        public static final String ALL = "*";

        /** Ends nothing, because there was no record. */
        public static final Ended NOTHING = new Ended(null, null);
    }

    /**
     * Returns the annotation of a term that begins.
     *
     * @param process the process's nonce, without '.'
     * @param write the id of the write that begins it
     * @param duration how long after each of its writes the term may run
     */
    public static TermAnnotation begun(
            String process, String write, Duration duration, String holder, Instant acquireTime, Ended ended) {
        return new TermAnnotation(id(process, write), false, write, duration, holder, acquireTime, ended);
    }

    /** Returns the annotation of a holder that has preempted the previous holder, whose term may run for {@code duration} after this write. */
    public static TermAnnotation preempting(
            String process, String write, Duration duration, String holder, Instant acquireTime) {
        return new TermAnnotation(id(process, write), true, write, duration, holder, acquireTime, Ended.NOTHING);
    }

    private static String id(String process, String write) {
        if (process.isEmpty() || process.indexOf(OF_PROCESS) >= 0) {
            throw new IllegalArgumentException(
                    "a process's nonce must be non-empty and without '.': '" + process + "'");
        }
        return process + OF_PROCESS + write;
    }

    /** Returns the annotation of a grant: no process leads by the record yet, and its holder may begin a term. */
    public static TermAnnotation granted(String holder, Instant acquireTime, Ended ended) {
        return new TermAnnotation(null, false, null, Duration.ZERO, holder, acquireTime, ended);
    }

    /** Returns the annotation of a record without a holder. */
    public static TermAnnotation released(Ended ended) {
        return new TermAnnotation(null, false, null, Duration.ZERO, null, null, ended);
    }

    /** Returns the annotation for another write of the same term. */
    public TermAnnotation withWrite(String id) {
        return new TermAnnotation(term, preempts, id, duration, holder, acquireTime, ended);
    }

    /** Returns whether it equals the written annotation except for a longer duration, which only makes readers wait longer. */
    public boolean covers(TermAnnotation written) {
        return duration.compareTo(written.duration) >= 0
                && equals(new TermAnnotation(
                        written.term,
                        written.preempts,
                        written.write,
                        duration,
                        written.holder,
                        written.acquireTime,
                        written.ended));
    }

    /** Returns whether both are of the same begun term. */
    boolean sameTerm(@Nullable TermAnnotation other) {
        return term != null && other != null && term.equals(other.term);
    }

    /** Returns whether the process with this nonce has written it, rather than another process of the same name. */
    public boolean writtenBy(String process) {
        return term != null && term.startsWith(process) && term.indexOf(OF_PROCESS) == process.length();
    }

    /** Returns whether it was written with this holder and this acquire time, so that it still describes the record. */
    boolean describes(@Nullable String currentHolder, @Nullable Instant acquired) {
        return holder != null
                && holder.equals(currentHolder)
                && acquired != null
                && micros(acquired) == micros(Objects.requireNonNull(acquireTime, "a holder has an acquire time"));
    }

    /** Returns microseconds since the epoch. {@code ChronoUnit.MICROS} counts in nanoseconds and overflows for Go's zero time, year 1. */
    private static long micros(Instant time) {
        return time.getEpochSecond() * 1_000_000 + time.getNano() / 1000;
    }
}
