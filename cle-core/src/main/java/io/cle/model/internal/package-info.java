/**
 * The Lease as a record, what a process knows of it from its sightings, and the rule of succession ({@code safety.md#succession}).
 *
 * <p>Pure: no I/O, no clock, no lock. Whatever depends on time takes it as an argument.
 */
@NullMarked
package io.cle.model.internal;

import org.jspecify.annotations.NullMarked;
