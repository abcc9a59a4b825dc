/**
 * Leader election for programs without Spring: {@link io.cle.LeaderElection} wires a lock to a cluster.
 *
 * <p>What comes in: an API client and the name of a lease. What goes out: a running lock. What must not be here: decisions.
 *
 * <p>Packages named {@code internal} are not for users and may change with any release. The others: {@code io.cle}, {@code runtime}, {@code lock}
 * and {@code kubernetes} for programs without Spring, and where the lock is injected; {@code migration} for KEP-2436; {@code strategy} and
 * {@code model} for a strategy of your own; {@code api} for a store or wire format of your own, with the contract suites of {@code cle-test}.
 */
@NullMarked
package io.cle;

import org.jspecify.annotations.NullMarked;
