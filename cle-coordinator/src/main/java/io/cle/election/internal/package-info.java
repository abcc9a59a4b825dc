/**
 * The coordinator of a cluster, in two halves.
 *
 * <p>The decisions are pure: {@link io.cle.election.internal.Election} takes a lease and its candidates as they were observed, and the time, and
 * returns a decision with its reason. Every rule of {@code docs/safety.md} about elections is decided there. I/O, clocks, locks and logging must not
 * be in it, nor in the types that it uses; ArchUnit checks that class by class.
 *
 * <p>{@code Coordinator} owns the watches and the {@code LeaseTable}; {@code LeaseQueue} decides when each lease is reconciled;
 * {@code LeaseReconciler} decides on one lease and writes; {@code CoordinatorReplica} lets one of several replicas coordinate. Calls go down only.
 * Leases are reconciled by {@link io.cle.election.internal.Workers}, which are client-java's in the jar. Requests and watches are in
 * {@link io.cle.election.internal.api}. Spring, client-java, threads of their own, and anything that a simulated coordinator would not run must
 * not be here.
 */
@NullMarked
package io.cle.election.internal;

import org.jspecify.annotations.NullMarked;
