/** The smallest application with the starter and without a coordinator. */
@NullMarked
package io.cle.samples.plainlease;

import org.jspecify.annotations.NullMarked;
