package io.cle.model;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The term annotation of a lease ({@code safety.md#term-annotation}). A process that keeps the rules writes one beside the holder's
 * name: a leader with the write that begins its term, a candidate with the write that preempts a holder, a coordinator or a holder that
 * hands over with the grant.
 *
 * <p>It repeats the holder and the acquire time of the record that it was written with. A writer that doesn't know of it (client-go,
 * kube-apiserver, an administrator) changes one of the two, and leaves an annotation that no longer matches the record. So a lease that
 * was only granted can be granted to another candidate without ending a term, and a process that was restarted under the same name sees
 * that a term isn't its own.
 *
 * <p>What the lock and the election ask for at every step is parsed once, when it is made. Immutable.
 */
public final class TermAnnotation {

    private static final char AT = '@';
    private static final char FOR = '+';
    private static final char AFTER = '~';
    private static final char WRITE = '.';

    /** More seconds than nine digits can say are no duration that this project writes. */
    private static final int MOST_DIGITS = 9;

    private static final int NONE = -1;

    /** Before any time that can be written. */
    private static final long UNREADABLE = Long.MIN_VALUE;

    private final String holder;
    private final String nonce;

    /** Where the nonce of the process and the id of the write end; {@link #NONE} for a grant, which has neither. */
    private final int endOfWrite;

    /** {@link #NONE} if it says none, as a grant or a malformed one. */
    private final int seconds;

    private final long acquiredMicros;
    private final String ofAnyWrite;

    /**
     * The annotation of a record that was read. No text is refused for its form but an empty nonce and one with a '/', because every process
     * that may write the record may write it; one without a readable acquire time describes no record.
     *
     * @param holder the holder that it was written for
     * @param nonce tells two processes of one name, and two terms of one process, apart; for a term, with its lease duration, because a
     *     writer that changes the holder may change the duration of the record, too
     * @throws IllegalArgumentException if the nonce is empty, so that nothing could be told apart by it, or contains a '/'
     */
    public TermAnnotation(String holder, String nonce) {
        this.holder = Objects.requireNonNull(holder, "holder");
        this.nonce = nonce;
        if (nonce.isEmpty() || nonce.indexOf('/') >= 0) {
            throw new IllegalArgumentException("a term's nonce must be non-empty and without '/': '" + nonce + "'");
        }
        int sign = nonce.indexOf(FOR);
        endOfWrite = sign < 0 ? nonce.indexOf(AFTER) : sign;
        seconds = seconds(nonce, endOfWrite + 1);
        acquiredMicros = acquiredMicros(nonce);
        int dot = nonce.lastIndexOf(WRITE, endOfWrite);
        ofAnyWrite = dot < 0 ? nonce : nonce.substring(0, dot) + nonce.substring(endOfWrite);
    }

    private static int seconds(String nonce, int from) {
        int to = nonce.indexOf(AT, from);
        if (from == 0 || to <= from || to - from > MOST_DIGITS) {
            return NONE;
        }
        int seconds = 0;
        for (int at = from; at < to; at++) {
            int digit = nonce.charAt(at) - '0';
            if (digit < 0 || digit > 9) {
                return NONE;
            }
            seconds = 10 * seconds + digit;
        }
        return seconds;
    }

    private static long acquiredMicros(String nonce) {
        int at = nonce.lastIndexOf(AT);
        try {
            return at < 0 ? UNREADABLE : Long.parseLong(nonce, at + 1, nonce.length(), 10);
        } catch (NumberFormatException e) {
            return UNREADABLE;
        }
    }

    /**
     * The annotation of a running term.
     *
     * @param process what tells the process from others of the same name; without '/', '@', '+', '~' and '.'
     * @param acquireTime the acquire time on the same record, no finer than the wire format can write it
     * @param leaseDuration for how long after its last renewal the term may run; in whole seconds
     */
    public static TermAnnotation begun(String holder, String process, Instant acquireTime, Duration leaseDuration) {
        return new TermAnnotation(
                holder, checked(process) + FOR + leaseDuration.toSeconds() + AT + micros(acquireTime));
    }

    /**
     * The annotation of a holder that has preempted the one before and waits for the end of that term: it doesn't lead by this record,
     * and begins its own term by another write.
     *
     * @param process as for {@link #begun}
     * @param acquireTime the acquire time on the same record, no finer than the wire format can write it
     * @param formerTerm for how long after this write the term before may run; in whole seconds
     */
    public static TermAnnotation preempting(String holder, String process, Instant acquireTime, Duration formerTerm) {
        return new TermAnnotation(holder, checked(process) + AFTER + formerTerm.toSeconds() + AT + micros(acquireTime));
    }

    private static String checked(String process) {
        if (process.isEmpty()
                || process.indexOf(AT) >= 0
                || process.indexOf(FOR) >= 0
                || process.indexOf(AFTER) >= 0
                || process.indexOf(WRITE) >= 0) {
            throw new IllegalArgumentException(
                    "a process's nonce must be non-empty and without '@', '+', '~' and '.': '" + process + "'");
        }
        return process;
    }

    /** The annotation of a grant: no process leads by the record, and its holder may begin its term. */
    public static TermAnnotation granted(String holder, Instant acquireTime) {
        return new TermAnnotation(holder, String.valueOf(AT) + micros(acquireTime));
    }

    /** The holder that it was written for. */
    public String holder() {
        return holder;
    }

    /** All that it says beside the holder's name. */
    public String nonce() {
        return nonce;
    }

    /**
     * For how long after the last write of the record the term that it describes may run: the holder's own, or the preempted one. Zero
     * for a grant, by which no term runs.
     */
    public Duration leaseDuration() {
        return Duration.ofSeconds(Math.max(0, seconds));
    }

    /** Whether it was written by the process with this nonce, rather than by another one of the same name. */
    public boolean writtenBy(String process) {
        return nonce.startsWith(process)
                && nonce.length() > process.length()
                && !process.isEmpty()
                && (nonce.charAt(process.length()) == FOR
                        || nonce.charAt(process.length()) == AFTER
                        || nonce.charAt(process.length()) == WRITE);
    }

    /**
     * The same, of one write: no other write of the same term has its id ({@code safety.md#clones}).
     *
     * @param id letters and digits
     */
    public TermAnnotation ofWrite(String id) {
        return endOfWrite < 0
                ? this
                : new TermAnnotation(holder, nonce.substring(0, endOfWrite) + WRITE + id + nonce.substring(endOfWrite));
    }

    /** Which write of the process it stands on; {@code null} if it was written without that, as earlier versions do. */
    public @Nullable String write() {
        int dot = nonce.lastIndexOf(WRITE, endOfWrite);
        return dot < 0 ? null : nonce.substring(dot + 1, endOfWrite);
    }

    /** The nonce without the id of the write: equal for all writes of one term, or grant. */
    String ofAnyWrite() {
        return ofAnyWrite;
    }

    /** Whether it is of a holder that has preempted the one before, and whose own term hasn't begun. */
    boolean ofPreemption() {
        return seconds >= 0 && nonce.charAt(endOfWrite) == AFTER;
    }

    /** Whether it is of a grant, rather than of a term that has begun. */
    boolean ofGrant() {
        return nonce.charAt(0) == AT;
    }

    /** Whether it was written with this holder and this acquire time, so that it still describes the record that it stands on. */
    boolean describes(@Nullable String currentHolder, @Nullable Instant acquireTime) {
        return acquiredAt(acquireTime) && holder.equals(currentHolder);
    }

    /** Whether it was written with this acquire time, whoever the holder is now. */
    boolean acquiredAt(@Nullable Instant acquireTime) {
        return acquireTime != null && acquiredMicros == micros(acquireTime);
    }

    /** Not by {@code ChronoUnit.MICROS}, which counts in nanoseconds, and fails on Go's zero time of the year 1. */
    private static long micros(Instant time) {
        return time.getEpochSecond() * 1_000_000 + time.getNano() / 1000;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TermAnnotation annotation
                && nonce.equals(annotation.nonce)
                && holder.equals(annotation.holder);
    }

    @Override
    public int hashCode() {
        return Objects.hash(holder, nonce);
    }

    /** As it is written: the nonce, a slash and the holder. */
    @Override
    public String toString() {
        return nonce + "/" + holder;
    }
}
