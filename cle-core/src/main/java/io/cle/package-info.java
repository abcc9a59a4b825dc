/**
 * Leader election for programs without Spring: {@link io.cle.LeaderElection} wires a lock to a cluster. What comes in is an API
 * client and the name of a lease; what goes out is a running lock. No decision is made here.
 */
@NullMarked
package io.cle;

import org.jspecify.annotations.NullMarked;
