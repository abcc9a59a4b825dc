package io.cle.model.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The term annotation of a lease ({@code safety.md#term-annotation}): what a process that keeps the rules says of its record. A leader writes
 * it with each renewal, a candidate with the write that preempts a holder, a coordinator or a holder that hands over with the grant, and a
 * holder with its release. Immutable.
 *
 * <p>It repeats the holder and the acquire time of its record. A writer that doesn't know of it (client-go, kube-apiserver, an administrator)
 * changes one of the two, and leaves an annotation that no longer describes the record.
 * Rule: {@code safety.md#own-record}.
 *
 * @param term names the term, or the preemption, for ever: no other one has this id; {@code null} for a grant and a release, by which no term
 *     runs
 * @param preempts whether the holder has preempted the one before and waits for the end of that term. It doesn't lead by this record
 * @param write tells this write from those of a copy of the process ({@code safety.md#clones}); {@code null} if {@code term} is
 * @param duration for how long after this write a term may run: the holder's own, or the preempted one. Whole seconds; zero if {@code term} is
 *     {@code null}
 * @param holder the holder that it was written for; {@code null} for a release
 * @param acquireTime the acquire time that it was written with, in microseconds; {@code null} for a release
 * @param ended what ended when the term, the grant or the time without a holder began
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

    /** Checks that it is of one of the four kinds. */
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
     * What a record ends ({@code safety.md#succession}).
     *
     * @param term the id of the term that ended; {@code null} if it had none, as a plain elector's; {@link #ALL} if an administrator ends all of them
     * @param after the resourceVersion that was replaced when it ended; {@code null} if there was no record
     */
    public record Ended(@Nullable String term, @Nullable String after) {

        /** In the place of a term: the administrator's line, by which all claims end. */
        public static final String ALL = "*";

        /** Nothing, because there was no record. */
        public static final Ended NOTHING = new Ended(null, null);
    }

    /**
     * The annotation of a term that begins.
     *
     * @param process the process's nonce, without '.'
     * @param write the id of the write that begins it
     * @param duration for how long after each of its writes the term may run
     */
    public static TermAnnotation begun(
            String process, String write, Duration duration, String holder, Instant acquireTime, Ended ended) {
        return new TermAnnotation(id(process, write), false, write, duration, holder, acquireTime, ended);
    }

    /** The annotation of a holder that has preempted the one before, whose term may run for {@code duration} after this write. */
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

    /** The annotation of a grant: no process leads by the record, and its holder may begin its term. */
    public static TermAnnotation granted(String holder, Instant acquireTime, Ended ended) {
        return new TermAnnotation(null, false, null, Duration.ZERO, holder, acquireTime, ended);
    }

    /** The annotation of a record without a holder. */
    public static TermAnnotation released(Ended ended) {
        return new TermAnnotation(null, false, null, Duration.ZERO, null, null, ended);
    }

    /** The same of another write of the same term. */
    public TermAnnotation withWrite(String id) {
        return new TermAnnotation(term, preempts, id, duration, holder, acquireTime, ended);
    }

    /** Whether it is another annotation as it was written, but for a longer duration, which only makes readers wait for longer. */
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

    /** Whether the process with this nonce has written it, rather than another one of the same name. */
    public boolean writtenBy(String process) {
        return term != null && term.startsWith(process) && term.indexOf(OF_PROCESS) == process.length();
    }

    /** Whether it was written with this holder and this acquire time, so that it still describes the record that it stands on. */
    boolean describes(@Nullable String currentHolder, @Nullable Instant acquired) {
        return holder != null
                && holder.equals(currentHolder)
                && acquired != null
                && micros(acquired) == micros(Objects.requireNonNull(acquireTime, "a holder has an acquire time"));
    }

    /** Not by {@code ChronoUnit.MICROS}, which counts in nanoseconds, and fails on Go's zero time of the year 1. */
    private static long micros(Instant time) {
        return time.getEpochSecond() * 1_000_000 + time.getNano() / 1000;
    }
}
