package io.cle.test.exploration;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/** Explores for other class loaders and packages; takes and returns only types of the JDK. */
public final class Hunt {

    private Hunt() {}

    /** The names of all directed explorations. */
    public static String[] explorations() {
        return Stream.of(Exploration.values()).map(Enum::name).toArray(String[]::new);
    }

    /**
     * Explores until a violation is found, or all states have been visited.
     *
     * @param exploration the name of a directed exploration
     * @param mostStates after how many states it ends, complete or not
     * @return what was explored, what was found and the shortest history of it; {@code null} if nothing was found
     */
    public static @Nullable String violation(String exploration, int mostStates) {
        Explorer.Result result = Exploration.valueOf(exploration).explore(mostStates);
        return result.violation() == null ? null : result.toString();
    }

    /** Returns the result of exploring this code, as text. */
    public static String explored(String exploration, int mostStates) {
        return Exploration.valueOf(exploration).explore(mostStates).toString();
    }
}
