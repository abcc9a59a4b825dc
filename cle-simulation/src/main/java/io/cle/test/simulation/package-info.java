/**
 * Whole clusters in one thread on virtual time, from a seed: an API server, coordinators and candidates with all of their real
 * code above {@link io.cle.kubernetes.internal.transport.KubernetesTransport}, and everything that can go wrong between them.
 *
 * <p>{@link io.cle.test.simulation.Simulation} runs one seed of a {@link io.cle.test.simulation.scenario.Scenario}; an omniscient checker
 * watches in true time, which no process knows. {@link io.cle.test.simulation.Replay} runs a seed again and prints its history, which is the
 * same on any machine.
 *
 * <p>What comes in: a kind of cluster, a seed, and what a test changes of the scenario. What goes out: a result with the first violation, or many of
 * them, printed. What must not be here: how anything is simulated or checked, which is in packages named {@code internal} and not for users.
 */
@NullMarked
package io.cle.test.simulation;

import org.jspecify.annotations.NullMarked;
