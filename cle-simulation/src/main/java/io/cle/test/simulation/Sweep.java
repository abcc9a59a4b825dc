package io.cle.test.simulation;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.cle.test.simulation.scenario.ClusterKind;
import io.cle.test.simulation.scenario.Excuse;

/**
 * Runs many seeds on one core, and prints what they found and how many ran in a minute:
 *
 * <pre>{@code
 * java -cp <class path of cle-simulation> io.cle.test.simulation.Sweep ALL 1 10000 5
 * }</pre>
 *
 * The arguments are the kind of cluster or {@code ALL}, the first seed, how many, and the number of candidates; without the latter the seed
 * chooses it.
 */
public final class Sweep {

    private Sweep() {}

    /** Runs the seeds that the arguments name; exits with 1 if a guarantee was violated. */
    public static void main(String[] arguments) {
        if (arguments.length < 3 || arguments.length > 4) {
            System.err.println(
                    "usage: Sweep <kind of cluster or ALL> <first seed> <how many> [<candidates>]; kinds are "
                            + List.of(ClusterKind.values()));
            System.exit(2);
        }
        List<ClusterKind> kinds =
                arguments[0].equals("ALL") ? List.of(ClusterKind.values()) : List.of(ClusterKind.valueOf(arguments[0]));
        int candidates = arguments.length == 4 ? Integer.parseInt(arguments[3]) : 0;
        boolean ok = true;
        for (ClusterKind kind : kinds) {
            ok &= sweep(kind, Long.parseLong(arguments[1]), Integer.parseInt(arguments[2]), candidates);
        }
        System.exit(ok ? 0 : 1);
    }

    private static boolean sweep(ClusterKind kind, long first, int seeds, int candidates) {
        ThreadMXBean cpu = ManagementFactory.getThreadMXBean();
        long begun = cpu.getCurrentThreadCpuTime();
        double virtualSeconds = 0;
        double slowestHealing = 0;
        long terms = 0;
        long requests = 0;
        Map<Excuse, Integer> excused = new EnumMap<>(Excuse.class);
        int violated = 0;
        for (long seed = first; seed < first + seeds; seed++) {
            SimulationResult result = new SimulationSeed(kind, seed, candidates).run();
            virtualSeconds += result.seconds();
            terms += result.terms();
            requests += result.requests();
            result.excuses().keySet().forEach(excuse -> excused.merge(excuse, 1, Integer::sum));
            if (result.ok()) {
                slowestHealing = Math.max(slowestHealing, result.healedIn());
            } else {
                violated++;
                System.out.println("VIOLATED: " + result.describe());
            }
        }
        double minutes = (cpu.getCurrentThreadCpuTime() - begun) / 60e9;
        System.out.printf(
                Locale.ROOT,
                "%s: %d seeds, %d violated, %.0f a minute; each: %.0f virtual s, %.0f requests, %.1f terms;"
                        + " slowest to heal: %.0f s; seeds excused: %s%n",
                kind,
                seeds,
                violated,
                seeds / minutes,
                virtualSeconds / seeds,
                (double) requests / seeds,
                (double) terms / seeds,
                slowestHealing,
                excused);
        boolean tooManyExcused = excused.entrySet().stream()
                .anyMatch(excuse -> excuse.getValue() > excuse.getKey().mostOf(seeds));
        if (tooManyExcused) {
            System.out.println("TOO MANY EXCUSED: " + excused + " of " + seeds + " seeds");
        }
        return violated == 0 && !tooManyExcused;
    }
}
