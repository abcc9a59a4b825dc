/** The code, broken on purpose: whether the simulation notices. */
@NullMarked
package io.cle.test.simulation.mutation;

import org.jspecify.annotations.NullMarked;
