/** Leader election without Spring. */
@NullMarked
package io.cle.samples.plain;

import org.jspecify.annotations.NullMarked;
