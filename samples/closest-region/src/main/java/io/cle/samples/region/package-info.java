/** Replicas in several regions, of which the closest one leads. */
@NullMarked
package io.cle.samples.region;

import org.jspecify.annotations.NullMarked;
