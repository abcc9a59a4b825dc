/**
 * The coordinator of a cluster: observes leases, candidates and lease configurations through {@link io.cle.store.internal.CoordinatorApi}, decides
 * by {@link io.cle.election.internal.Election}, and writes what was decided.
 *
 * <p>What comes in: watch events, results of requests, and whether this replica coordinates. What goes out: requests, Events, log lines,
 * and lease keys for a {@link io.cle.runtime.internal.coordinator.WorkQueue}. What must not be here: Spring, client-java, threads of its own, and
 * anything that a simulated coordinator would not run.
 */
@NullMarked
package io.cle.runtime.internal.coordinator;

import org.jspecify.annotations.NullMarked;
