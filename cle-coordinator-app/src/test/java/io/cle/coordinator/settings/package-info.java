/** Tests of what can be configured. */
@NullMarked
package io.cle.coordinator.settings;

import org.jspecify.annotations.NullMarked;
