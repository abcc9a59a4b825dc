/**
 * Measures what users of leader election wait for, on a real API server and with real processes. {@code Benchmark} is the program; {@code Lab} has
 * the server and starts processes; a {@code Scenario} makes measurements; the rest collects and prints them.
 */
@NullMarked
package io.cle.evidence.benchmark;

import org.jspecify.annotations.NullMarked;
