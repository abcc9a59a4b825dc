/**
 * The coordinator as an application: {@link io.cle.election.internal.Coordinator}, which makes all decisions and also runs in the
 * simulation, with client-java's controller as its work queue, wired by Spring Boot.
 *
 * <p>In: {@link io.cle.coordinator.CoordinatorProperties}, whose invalid values fail the start. {@code CoordinatorLifecycle} creates, starts
 * and stops everything; health, meters and the page read it. Must not be here: decisions, and requests about elections.
 */
@NullMarked
package io.cle.coordinator;

import org.jspecify.annotations.NullMarked;
