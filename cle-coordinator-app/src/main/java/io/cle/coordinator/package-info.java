/**
 * The coordinator as an application: the controller machinery of client-java around {@link io.cle.runtime.Coordinator}, wired by
 * Spring Boot.
 *
 * <p>From the outside in: {@code settings} (what can be configured), {@code cluster} (the way to the API server, start and
 * stop), {@code informer} (what is observed), {@code control} (the reconciler and the election among replicas), {@code actuate}
 * (endpoint, health and meters).
 */
@NullMarked
package io.cle.coordinator;

import org.jspecify.annotations.NullMarked;
