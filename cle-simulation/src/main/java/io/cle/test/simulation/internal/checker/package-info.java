/**
 * What must hold in a simulated cluster at every instant of true time, what is excused, and which candidate must lead in the end.
 *
 * <p>What comes in: every task, request, delivery, write and callback. What goes out: the first violation, and how often each
 * {@link io.cle.test.simulation.scenario.Excuse} was used. What must not be here: what the code under test says of itself, other than whether it
 * leads and with which token; and anything that changes what happens.
 */
@NullMarked
package io.cle.test.simulation.internal.checker;

import org.jspecify.annotations.NullMarked;
