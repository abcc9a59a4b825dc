/**
 * The Lease as a record, what a process has observed of it, and the rule of succession ({@code safety.md#succession}).
 *
 * <p>Pure: no I/O, no clock, no lock. Methods that depend on the time take it as an argument.
 */
@NullMarked
package io.cle.model.internal;

import org.jspecify.annotations.NullMarked;
