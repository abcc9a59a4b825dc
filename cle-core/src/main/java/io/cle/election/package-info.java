/**
 * The coordinator's decisions as one function: what is known of a lease, its candidates and the time, to what is to be done
 * about it, with the reason.
 *
 * <p>Pure: no I/O, no clock, no lock. {@link io.cle.runtime} observes, asks, and carries out.
 */
@NullMarked
package io.cle.election;

import org.jspecify.annotations.NullMarked;
