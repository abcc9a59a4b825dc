/**
 * What goes wrong in a simulated cluster, and when: faults of processes, clocks, watches and the API server, faults that do not end, an
 * administrator, a stranger, and an admission webhook.
 *
 * <p>What comes in: the scenario, a random source, and the cluster. What goes out: calls that pause, kill, partition, suspend, edit and restore,
 * each with a line in the history. What must not be here: how a fault works, which is in the class that it happens to, and what is excused because
 * of it.
 */
@NullMarked
package io.cle.test.simulation.internal.nemesis;

import org.jspecify.annotations.NullMarked;
