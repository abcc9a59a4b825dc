/**
 * The coordinator as an application: {@link io.cle.election.internal.Coordinator}, which makes all decisions and also runs in the
 * simulation, with client-java's controller as its work queue, wired by Spring Boot.
 *
 * <p>From the outside in: {@code settings} (what can be configured), {@code cluster} (access to the API server, start and stop),
 * {@code actuate} (endpoint, health and meters). {@link io.cle.coordinator.ClientJavaController} adapts it to client-java's controller.
 */
@NullMarked
package io.cle.coordinator;

import org.jspecify.annotations.NullMarked;
