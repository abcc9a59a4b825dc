/**
 * Leader election for programs without Spring: {@link io.cle.LeaderElection} wires a lock to a cluster.
 *
 * <p>What comes in: an API client and the name of a lease. What goes out: a running lock. What must not be here: decisions.
 *
 * <p>Packages named {@code internal} are not for users and may change with any release; {@code docs/api.md} lists all others.
 */
@NullMarked
package io.cle;

import org.jspecify.annotations.NullMarked;
