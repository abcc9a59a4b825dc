/**
 * The processes of a simulated cluster: candidates and coordinators with the code that ships in them, client-go's elector, and the pods that
 * candidates run in.
 *
 * <p>What comes in: the scenario, and orders to start and kill. What goes out: the processes, and to an observer the calls of their listeners. What
 * must not be here: when a process fails, which is the nemesis' choice, and what is right, which the checker knows.
 */
@NullMarked
package io.cle.test.simulation.internal.cluster;

import org.jspecify.annotations.NullMarked;
