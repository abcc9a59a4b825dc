/** The coordinator's actuator: the endpoint with the elections, health and meters, and a port for the kubelet and Prometheus. */
@NullMarked
package io.cle.coordinator.actuate;

import org.jspecify.annotations.NullMarked;
