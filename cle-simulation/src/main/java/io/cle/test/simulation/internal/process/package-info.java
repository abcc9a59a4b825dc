/**
 * Simulated processes and their time: the queue of what is due, clocks that drift, processes that pause and die, and the history of what happened.
 *
 * <p>What comes in: tasks, and when they are due. What goes out: their execution in virtual time, one after the other, with a line for each event.
 * What must not be here: anything that knows of a lease, of the API server or of the network.
 */
@NullMarked
package io.cle.test.simulation.internal.process;

import org.jspecify.annotations.NullMarked;
