package io.cle.test.hostile;

/**
 * Runs a check for fresh seeds: a few seconds in the build, {@code -Dcle.hostile=100} times as many by hand, one by
 * {@code -Dcle.hostile.seed=<seed>}.
 */
public final class HostileSeeds {

    private static final int TIMES = Integer.getInteger("cle.hostile", 1);

    private HostileSeeds() {}

    /** What has to hold for a seed. */
    @FunctionalInterface
    public interface Check {
        /** Throws if it does not hold. */
        void of(long seed) throws Exception;
    }

    /**
     * Runs a check.
     *
     * @param inTheBuild for how many seeds, unless the properties say otherwise
     */
    public static void run(int inTheBuild, Check check) {
        Long only = Long.getLong("cle.hostile.seed");
        long first = only == null ? System.nanoTime() : only;
        long seeds = only == null ? (long) inTheBuild * TIMES : 1;
        for (long seed = first; seed < first + seeds; seed++) {
            try {
                check.of(seed);
            } catch (Exception | AssertionError | StackOverflowError failure) {
                throw new AssertionError("seed " + seed + " (-Dcle.hostile.seed=" + seed + "): " + failure, failure);
            }
        }
    }
}
