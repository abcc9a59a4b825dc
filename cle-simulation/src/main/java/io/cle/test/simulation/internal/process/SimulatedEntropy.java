package io.cle.test.simulation.internal.process;

import java.util.SplittableRandom;

import io.cle.lock.internal.Entropy;

/** What distinguishes a simulated process from others of its name; a function of the process. */
public final class SimulatedEntropy implements Entropy {

    private final String process;
    private final SplittableRandom numbers;
    private int starts;

    /** For a process whose name is unique in the simulation. */
    public SimulatedEntropy(String process) {
        this.process = process;
        this.numbers = new SplittableRandom(process.hashCode());
    }

    @Override
    public String nonce() {
        return starts++ == 0 ? process : process + "r" + starts;
    }

    @Override
    public long number() {
        return numbers.nextLong();
    }
}
