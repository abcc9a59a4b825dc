/**
 * What binds the core's coordinator to this application: client-java's work queue and reconciler, and the meters. Nothing here decides
 * anything; {@link io.cle.runtime.internal.coordinator.CoordinatorLoop} does.
 */
@NullMarked
package io.cle.coordinator.control;

import org.jspecify.annotations.NullMarked;
