/**
 * The candidates that an election strategy ranks: candidate, version, the key of an object.
 *
 * <p>Pure: no I/O, no clock, no lock. Methods that depend on the time take it as an argument.
 */
@NullMarked
package io.cle.model;

import org.jspecify.annotations.NullMarked;
