/**
 * Measures what users of leader election wait for, with a real API server and real processes. {@code Benchmark} is the
 * program; {@code Lab} has the server and starts processes; a {@code Scenario} makes measurements; the other classes
 * collect and print them.
 */
@NullMarked
package io.cle.evidence.benchmark;

import org.jspecify.annotations.NullMarked;
