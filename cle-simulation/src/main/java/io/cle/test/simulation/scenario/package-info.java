/**
 * What a simulated cluster is like: its kind, what a test changes of it, which faults it has, and what excuses two leaders.
 */
@NullMarked
package io.cle.test.simulation.scenario;

import org.jspecify.annotations.NullMarked;
