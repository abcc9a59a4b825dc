package io.cle.test.simulation;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.cle.test.simulation.scenario.ClusterKind;
import io.cle.test.simulation.scenario.Scenario;

/**
 * Identifies a run. Written {@code COORDINATED:42}, or {@code COORDINATED:42:5} where the number of
 * candidates was not chosen by the seed. Immutable.
 *
 * @param kind the kind of cluster
 * @param seed the seed
 * @param candidates how many candidates there are at first; 0 if the seed chooses
 */
public record SimulationSeed(ClusterKind kind, long seed, int candidates) {

    private static final Pattern WRITTEN = Pattern.compile("(\\w+):(-?\\d{1,18})(?::(\\d{1,4}))?");

    /**
     * Reads what {@link #toString} writes.
     *
     * @throws IllegalArgumentException if it is something else; the message says what is expected
     */
    public static SimulationSeed parse(String text) {
        Matcher parts = WRITTEN.matcher(text);
        for (ClusterKind kind : parts.matches() ? ClusterKind.values() : new ClusterKind[0]) {
            if (kind.name().equals(parts.group(1))) {
                int candidates = parts.group(3) == null ? 0 : Integer.parseInt(parts.group(3));
                return new SimulationSeed(kind, Long.parseLong(parts.group(2)), candidates);
            }
        }
        throw new IllegalArgumentException("'" + text + "' isn't <kind of cluster>:<seed> or <kind of cluster>:<seed>:"
                + "<candidates>, as COORDINATED:42 or COORDINATED:42:5 are; kinds are "
                + List.of(ClusterKind.values()));
    }

    /** What is simulated. */
    public Scenario scenario() {
        return candidates == 0 ? Scenario.of(kind, seed) : Scenario.of(kind, seed, candidates);
    }

    /** Runs it. */
    public SimulationResult run() {
        return Simulation.run(scenario(), seed);
    }

    @Override
    public String toString() {
        return kind + ":" + seed + (candidates == 0 ? "" : ":" + candidates);
    }
}
