package io.cle.model;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * What those who keep our rules leave on the lease beside the holder's name: the process that leads, with the write that begins its
 * term, or that overrules a holder before its own begins; a coordinator or a holder that hands over, with the grant.
 *
 * <p>It names the holder and the acquire time that it was written with, so that it speaks for itself: everybody who takes the lease
 * without knowing of marks (client-go, kube-apiserver, an administrator) changes one of the two, and leaves a mark that is nobody's.
 * A lease that was only granted can be given to another one without anybody losing a term (lock's rule 1), and a process that was
 * restarted under the same name sees that a term isn't its own.
 *
 * @param holder the holder that it is for
 * @param nonce what tells two processes of the same name, and two terms of one process, apart; with the lease duration of a term, as
 *     whoever changes the holder may change that of the record, too
 */
public record TermMark(String holder, String nonce) {

    private static final char AT = '@';
    private static final char FOR = '+';
    private static final char AFTER = '~';
    private static final Pattern SECONDS = Pattern.compile("[+~](\\d{1,9})@");
    private static final Pattern OVERRULING = Pattern.compile("~\\d{1,9}@");

    /** Refuses an empty nonce, which could tell nothing apart. */
    public TermMark {
        Objects.requireNonNull(holder, "holder");
        if (nonce.isEmpty() || nonce.indexOf('/') >= 0) {
            throw new IllegalArgumentException("a term's nonce must be non-empty and without '/': '" + nonce + "'");
        }
    }

    /**
     * The mark of a running term.
     *
     * @param process what tells the process from others of the same name; without '/', '@', '+' and '~'
     * @param acquireTime the acquire time on the same record, no finer than the wire format can write it
     * @param leaseDuration for how long after its last renewal the term may run; in whole seconds
     */
    public static TermMark begun(String holder, String process, Instant acquireTime, Duration leaseDuration) {
        return new TermMark(holder, checked(process) + FOR + leaseDuration.toSeconds() + AT + micros(acquireTime));
    }

    /**
     * The mark of a holder that has overruled the one before and waits for the end of that one's term: it doesn't lead by this record,
     * and begins its own term by another write.
     *
     * @param process as for {@link #begun}
     * @param acquireTime the acquire time on the same record, no finer than the wire format can write it
     * @param formerTerm for how long after this write the term before may run; in whole seconds
     */
    public static TermMark overruling(String holder, String process, Instant acquireTime, Duration formerTerm) {
        return new TermMark(holder, checked(process) + AFTER + formerTerm.toSeconds() + AT + micros(acquireTime));
    }

    private static String checked(String process) {
        if (process.isEmpty() || process.indexOf(AT) >= 0 || process.indexOf(FOR) >= 0 || process.indexOf(AFTER) >= 0) {
            throw new IllegalArgumentException(
                    "a process's nonce must be non-empty and without '@', '+' and '~': '" + process + "'");
        }
        return process;
    }

    /** The mark of a grant: nobody leads by the record, and its holder may begin. */
    public static TermMark granted(String holder, Instant acquireTime) {
        return new TermMark(holder, AT + micros(acquireTime));
    }

    /**
     * For how long after the last write of the record somebody may lead by what it tells of: the term, or the one that was overruled.
     * Zero where it doesn't say so, as that of a grant.
     */
    public Duration leaseDuration() {
        Matcher seconds = SECONDS.matcher(nonce);
        return seconds.find() ? Duration.ofSeconds(Long.parseLong(seconds.group(1))) : Duration.ZERO;
    }

    /** Whether it was written by a process, rather than by another one of the same name. */
    public boolean writtenBy(String process) {
        return nonce.startsWith(process + FOR) || nonce.startsWith(process + AFTER);
    }

    /** Whether it is of a holder that has overruled the one before, and whose own term hasn't begun. */
    boolean ofOverruling() {
        return OVERRULING.matcher(nonce).find();
    }

    /** Whether it is of a grant, rather than of a term that has begun. */
    boolean ofGrant() {
        return nonce.charAt(0) == AT;
    }

    /** Whether it was written with this holder and this acquire time, so that it still speaks of the record it stands on. */
    boolean speaksOf(@Nullable String currentHolder, @Nullable Instant acquireTime) {
        return holder.equals(currentHolder) && acquireTime != null && nonce.endsWith(AT + micros(acquireTime));
    }

    private static String micros(Instant time) {
        return String.valueOf(ChronoUnit.MICROS.between(Instant.EPOCH, time));
    }
}
