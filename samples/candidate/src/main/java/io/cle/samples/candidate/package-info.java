/** The smallest application on the starter. */
@NullMarked
package io.cle.samples.candidate;

import org.jspecify.annotations.NullMarked;
