/**
 * The immutable records of leader election: lease, candidate, version, term and their timings.
 *
 * <p>Pure: no I/O, no clock, no lock. Whatever depends on time takes it as an argument.
 */
@NullMarked
package io.cle.model;

import org.jspecify.annotations.NullMarked;
