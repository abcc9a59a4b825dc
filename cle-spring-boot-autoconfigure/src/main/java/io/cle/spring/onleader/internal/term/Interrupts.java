package io.cle.spring.onleader.internal.term;

import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CancellationException;

import io.cle.spring.onleader.LeadershipTerm;
import io.cle.spring.onleader.TermEndedException;

/** Distinguishes a failure of work from the way in which it ends when it is interrupted or cancelled. */
public final class Interrupts {

    private Interrupts() {}

    /** Whether an exception, or one of its causes, comes of an interrupt, a cancellation or {@link LeadershipTerm#check()}. */
    public static boolean caused(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InterruptedException
                    || cause instanceof InterruptedIOException
                    || cause instanceof ClosedByInterruptException
                    || cause instanceof CancellationException
                    || cause instanceof TermEndedException) {
                return true;
            }
        }
        return false;
    }
}
