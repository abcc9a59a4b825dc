package io.cle.test.simulation.scenario;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Faults of the network, each as a share of all requests or of all events of watches, from 0 to 1. Immutable.
 *
 * @param lost requests that never arrive
 * @param answerLost requests that are carried out and whose answer never arrives
 * @param duplicated requests that arrive twice; the first answer is used
 * @param throttled answered with 429
 * @param conflicting answered with 409 although nothing has changed
 * @param failing answered with 500 or 504 and not carried out
 * @param failingLate answered with 500 or 504 although carried out
 * @param slow requests, answers and events that take up to {@code slowness}
 * @param slowness the maximum delay; longer than the request timeout, so that some are carried out long after they were given up
 * @param silenced events after which a watch delivers nothing any more, without ending
 * @param broken events after which a watch breaks, ends, or ends with 410
 * @param repeated events that are delivered again later
 */
public record NetworkFaults(
        double lost,
        double answerLost,
        double duplicated,
        double throttled,
        double conflicting,
        double failing,
        double failingLate,
        double slow,
        Duration slowness,
        double silenced,
        double broken,
        double repeated) {

    /** No faults: every request, answer and event takes a few milliseconds. */
    public static final NetworkFaults NONE = new NetworkFaults(0, 0, 0, 0, 0, 0, 0, 0, Duration.ZERO, 0, 0, 0);

    /** A random choice of kinds of faults, each at a strength of its own, so that every combination of kinds occurs. */
    static NetworkFaults random(SplittableRandom random, boolean tame) {
        double strength = random.nextDouble() < 0.3 ? 0.03 : 0.15;
        return new NetworkFaults(
                some(random, strength),
                some(random, strength),
                some(random, strength),
                some(random, strength),
                some(random, strength),
                some(random, strength),
                some(random, strength),
                some(random, 2 * strength),
                Duration.ofMillis(tame ? 500 : random.nextLong(1000, 20_000)),
                some(random, strength / 4),
                some(random, strength),
                some(random, strength));
    }

    private static double some(SplittableRandom random, double most) {
        return random.nextInt(3) == 0 ? 0 : random.nextDouble() * most;
    }
}
