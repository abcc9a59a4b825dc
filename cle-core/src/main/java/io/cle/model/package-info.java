/**
 * What candidates announce, for those who rank them: candidate, version, the key of an object.
 *
 * <p>Pure: no I/O, no clock, no lock. Whatever depends on time takes it as an argument.
 */
@NullMarked
package io.cle.model;

import org.jspecify.annotations.NullMarked;
