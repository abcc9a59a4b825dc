package io.cle.test.simulation;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/**
 * Runs many seeds, on all cores that the JVM may use, and prints what they found, how many
 * ran in a minute, and how many in a minute of one core's time:
 *
 * <pre>{@code
 * java -cp <class path of cle-test> io.cle.test.simulation.Sweep ALL 1 10000 5
 * }</pre>
 *
 * The arguments are the kind of cluster or {@code ALL}, the first seed, how many, and the number of candidates; without the latter the seed
 * chooses it.
 */
public final class Sweep {

    private static final double MINUTE = 60e9;

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
        long begun = System.nanoTime();
        LongAdder cpu = new LongAdder();
        List<SimulationResult> results = LongStream.range(first, first + seeds)
                .parallel()
                .mapToObj(seed -> run(new SimulationSeed(kind, seed, candidates), cpu))
                .toList();
        double nanos = System.nanoTime() - begun;

        long violated = results.stream().filter(result -> !result.ok()).count();
        Map<Excuse, Integer> excused = new EnumMap<>(Excuse.class);
        results.forEach(result -> result.excuses().keySet().forEach(excuse -> excused.merge(excuse, 1, Integer::sum)));
        System.out.printf(
                Locale.ROOT,
                "%s: %d seeds, %d violated, %.0f a minute, %.0f a minute of a core; each: %.0f virtual s, %.0f requests,"
                        + " %.1f terms; slowest to heal: %.0f s; seeds excused: %s%n",
                kind,
                seeds,
                violated,
                seeds * MINUTE / nanos,
                seeds * MINUTE / cpu.doubleValue(),
                mean(results, SimulationResult::seconds),
                mean(results, SimulationResult::requests),
                mean(results, SimulationResult::terms),
                results.stream()
                        .filter(SimulationResult::ok)
                        .mapToDouble(SimulationResult::healedIn)
                        .max()
                        .orElse(0),
                excused);
        boolean tooManyExcused = excused.entrySet().stream()
                .anyMatch(excuse -> excuse.getValue() > excuse.getKey().mostOf(seeds));
        if (tooManyExcused) {
            System.out.println("TOO MANY EXCUSED: " + excused + " of " + seeds + " seeds");
        }
        return violated == 0 && !tooManyExcused;
    }

    private static SimulationResult run(SimulationSeed seed, LongAdder cpu) {
        ThreadMXBean thread = ManagementFactory.getThreadMXBean();
        long begun = thread.getCurrentThreadCpuTime();
        SimulationResult result = seed.run();
        cpu.add(thread.getCurrentThreadCpuTime() - begun);
        if (!result.ok()) {
            System.out.println("VIOLATED: " + result.describe());
        }
        return result;
    }

    private static double mean(List<SimulationResult> results, ToDoubleFunction<SimulationResult> figure) {
        return results.stream().mapToDouble(figure).average().orElse(0);
    }
}
