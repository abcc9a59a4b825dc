package io.cle.test.simulation;

/** How much a build searches: little by {@code ./mvnw verify}, more with {@code CI=true}, most by {@code -Pthorough}. */
public final class Effort {

    public static final boolean THOROUGH = Boolean.getBoolean("cle.thorough");
    public static final boolean CI = THOROUGH || Boolean.parseBoolean(System.getenv("CI"));

    private Effort() {}

    /** Returns the number for this build. */
    static int of(int build, int ci, int thorough) {
        if (THOROUGH) {
            return thorough;
        }
        return CI ? ci : build;
    }
}
