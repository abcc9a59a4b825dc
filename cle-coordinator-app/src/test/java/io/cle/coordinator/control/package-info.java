/** Tests of when the coordinator coordinates. */
@NullMarked
package io.cle.coordinator.control;

import org.jspecify.annotations.NullMarked;
