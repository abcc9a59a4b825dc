package io.cle.test.exploration;

import org.jspecify.annotations.Nullable;

/** Explores for other class loaders, hence takes and gives only types of the JDK. */
public final class Hunt {

    private Hunt() {}

    /**
     * Explores settings, from the quickest to the slowest, until one finds a violation.
     *
     * @param mostStates the most states of each exploration
     * @return the setting, what was found and the shortest history of it; {@code null} if nothing was found
     */
    public static @Nullable String violation(int mostStates) {
        for (Setting setting : Setting.ofMutations()) {
            String found = violation(setting, mostStates);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /**
     * Explores one setting: candidates race, and one of them may be copied.
     *
     * @return as {@link #violation}
     */
    public static @Nullable String violationByCopy(int mostStates) {
        return violation(Setting.of(Setting.Cluster.RACE, 1).withCopies(), mostStates);
    }

    private static @Nullable String violation(Setting setting, int mostStates) {
        Explorer.Result result = new Explorer(setting, mostStates).run();
        return result.violation() == null ? null : result.toString();
    }
}
