/**
 * What every adapter of the port {@link io.cle.store.internal} has to do, as tests to inherit: on the embedded API server and on a real one,
 * so that the one can be believed because of the other.
 */
@NullMarked
package io.cle.test.contract;

import org.jspecify.annotations.NullMarked;
