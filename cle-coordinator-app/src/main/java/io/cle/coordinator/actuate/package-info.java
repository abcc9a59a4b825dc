/** What the coordinator shows of itself: the endpoint with the elections, health and meters. */
@NullMarked
package io.cle.coordinator.actuate;

import org.jspecify.annotations.NullMarked;
