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
 * @param holder the holder that it was written for
 * @param nonce tells two processes of one name, and two terms of one process, apart; for a term, with its lease duration, because a writer
 *     that changes the holder may change the duration of the record, too
 */
public record TermAnnotation(String holder, String nonce) {

    private static final char AT = '@';
    private static final char FOR = '+';
    private static final char AFTER = '~';
    private static final char WRITE = '.';

    /** More seconds than nine digits can say are no duration that this project writes. */
    private static final int MOST_DIGITS = 9;

    /** Refuses an empty nonce, by which nothing could be told apart. */
    public TermAnnotation {
        Objects.requireNonNull(holder, "holder");
        if (nonce.isEmpty() || nonce.indexOf('/') >= 0) {
            throw new IllegalArgumentException("a term's nonce must be non-empty and without '/': '" + nonce + "'");
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
        if (process.isEmpty() || process.chars().anyMatch(c -> c == AT || c == FOR || c == AFTER || c == WRITE)) {
            throw new IllegalArgumentException(
                    "a process's nonce must be non-empty and without '@', '+', '~' and '.': '" + process + "'");
        }
        return process;
    }

    /** The annotation of a grant: no process leads by the record, and its holder may begin its term. */
    public static TermAnnotation granted(String holder, Instant acquireTime) {
        return new TermAnnotation(holder, AT + micros(acquireTime));
    }

    /**
     * For how long after the last write of the record the term that it describes may run: the holder's own, or the preempted one. Zero
     * for a grant, by which no term runs.
     */
    public Duration leaseDuration() {
        return Duration.ofSeconds(Math.max(0, seconds()));
    }

    /** -1 if it says none, as a grant or a malformed one. */
    private int seconds() {
        int from = endOfWrite() + 1;
        int to = nonce.indexOf(AT, from);
        if (from == 0 || to <= from || to - from > MOST_DIGITS) {
            return -1;
        }
        int seconds = 0;
        for (int at = from; at < to; at++) {
            int digit = nonce.charAt(at) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            seconds = 10 * seconds + digit;
        }
        return seconds;
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
        int end = endOfWrite();
        return end < 0 ? this : new TermAnnotation(holder, nonce.substring(0, end) + WRITE + id + nonce.substring(end));
    }

    /** Which write of the process it stands on; {@code null} if it was written without that, as earlier versions do. */
    public @Nullable String write() {
        int end = endOfWrite();
        int dot = nonce.lastIndexOf(WRITE, end);
        return dot < 0 ? null : nonce.substring(dot + 1, end);
    }

    /** The same without the id of its write: equal for all writes of one term, or grant. */
    TermAnnotation ofAnyWrite() {
        int end = endOfWrite();
        int dot = nonce.lastIndexOf(WRITE, end);
        return dot < 0
                ? this
                : new TermAnnotation(
                        holder, new StringBuilder(nonce).delete(dot, end).toString());
    }

    /** Where the nonce of the process and the id of the write end; -1 for a grant, which has neither. */
    private int endOfWrite() {
        int end = nonce.indexOf(FOR);
        return end < 0 ? nonce.indexOf(AFTER) : end;
    }

    /** Whether it is of a holder that has preempted the one before, and whose own term hasn't begun. */
    boolean ofPreemption() {
        return seconds() >= 0 && nonce.charAt(endOfWrite()) == AFTER;
    }

    /** Whether it is of a grant, rather than of a term that has begun. */
    boolean ofGrant() {
        return nonce.charAt(0) == AT;
    }

    /** Whether it was written with this holder and this acquire time, so that it still describes the record that it stands on. */
    boolean describes(@Nullable String currentHolder, @Nullable Instant acquireTime) {
        return holder.equals(currentHolder) && acquireTime != null && nonce.endsWith(AT + micros(acquireTime));
    }

    /** Not by {@code ChronoUnit.MICROS}, which counts in nanoseconds, and fails on Go's zero time of the year 1. */
    private static String micros(Instant time) {
        return String.valueOf(time.getEpochSecond() * 1_000_000 + time.getNano() / 1000);
    }
}
