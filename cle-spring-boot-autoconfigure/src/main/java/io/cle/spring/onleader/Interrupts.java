package io.cle.spring.onleader;

import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CancellationException;

/** Distinguishes a failure of work from the way in which it ends when it is interrupted or cancelled. */
final class Interrupts {

    private Interrupts() {}

    /** Whether an exception, or one of its causes, comes of an interrupt, a cancellation or {@link LeadershipTerm#check()}. */
    static boolean caused(Throwable failure) {
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
