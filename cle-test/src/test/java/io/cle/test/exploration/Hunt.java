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
            Explorer.Result result = new Explorer(setting, mostStates).run();
            if (result.violation() != null) {
                return result.toString();
            }
        }
        return null;
    }
}
