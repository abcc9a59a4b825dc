/**
 * Every history of a small cluster instead of samples: {@link io.cle.test.exploration.Explorer} runs the pure machines of lock and
 * election through all interleavings of two or three processes, one record and a coordinator, over discrete time up to a horizon, with
 * a bounded number of faults.
 *
 * <p>What comes in is a {@link io.cle.test.exploration.Setting}; what goes out is the number of states and the shortest history that
 * breaks a rule, if there is one. Nothing here depends on what the machines' states contain: they are opaque values. The network, the
 * API server and the glue between machines and network are modelled here, in a few lines each; the real ones are simulated in
 * {@code io.cle.test.simulation}.
 */
@NullMarked
package io.cle.test.exploration;

import org.jspecify.annotations.NullMarked;
