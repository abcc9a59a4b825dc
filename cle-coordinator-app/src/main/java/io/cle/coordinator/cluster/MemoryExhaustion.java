package io.cle.coordinator.cluster;

import org.jspecify.annotations.Nullable;

/**
 * Ends the process when it has run out of memory, whatever flags it was started with. A process that goes on without some of its threads
 * could renew its lease and elect nothing, so that no other replica could take over (safety.md#useful-replica).
 */
public final class MemoryExhaustion {

    /** As with {@code -XX:+ExitOnOutOfMemoryError}. */
    static final int EXIT_CODE = 3;

    /** A failure may be its own cause's cause. */
    private static final int DEEPEST_CAUSE = 20;

    private MemoryExhaustion() {}

    /** Looks at what no thread catches, from now on. */
    public static void watchThreads() {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            endProcessOn(failure);
            System.err.print("Exception in thread \"" + thread.getName() + "\" ");
            failure.printStackTrace();
        });
    }

    /** Ends the process at once if a failure is, or was caused by, the end of the memory; else does nothing. */
    public static void endProcessOn(Throwable failure) {
        if (isOf(failure)) {
            try {
                System.err.println("The process has run out of memory and ends");
            } finally {
                // Not an orderly end: its hooks need memory, too.
                Runtime.getRuntime().halt(EXIT_CODE);
            }
        }
    }

    private static boolean isOf(@Nullable Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof OutOfMemoryError) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
