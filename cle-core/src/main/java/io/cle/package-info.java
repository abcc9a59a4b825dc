/**
 * Leader election on Kubernetes: of the replicas of a program one leads, by a Lease in the cluster.
 *
 * <h2>Lead work</h2>
 *
 * <pre>{@code
 * try (LeaderElection election = LeaderElection.builder(apiClient).lease("shop", "orders").start()) {
 *     election.runWhileLeader(term -> pollOrders(term.fencingToken()));
 *     ...
 * }
 * }</pre>
 *
 * <p>{@link io.cle.LeaderElection} makes a candidate of this process. The work runs in each {@linkplain io.cle.Term term} of this process and is
 * interrupted when the term ends; the lease is released when the work has returned. Closing the election hands the lease over.
 *
 * <h2>Ask who leads</h2>
 *
 * <p>{@link io.cle.LeaderElection#lock()} is the {@link io.cle.CoordinatedLeaseLock}: whether this process leads at this instant, who the leader is,
 * the fencing token, a {@linkplain io.cle.LockSnapshot snapshot} for people, and {@linkplain io.cle.LeadershipListener listeners}. In a Spring
 * application the lock is a bean.
 *
 * <h2>What is guaranteed</h2>
 *
 * <p>At no instant do two processes have {@link io.cle.CoordinatedLeaseLock#isLeader()} true for one lease, as long as their clocks run at rates within
 * lease duration over renew deadline of each other ({@link io.cle.Timings}). Clock offsets do not matter. A term ends by itself at the renew
 * deadline after the sending of its last successful renewal, whichever thread is stuck.
 *
 * <p>Not guaranteed: that what the work has sent elsewhere has ended when the term is over. A store that compares
 * {@linkplain io.cle.Term#fencingToken() fencing tokens} refuses the writes of a term that is over.
 *
 * <h2>Who is elected</h2>
 *
 * <p>Without further ado the candidates race for the lease, as client-go's do. With {@code coordinated(...)} a coordinator elects the best of them
 * (KEP-4355); with {@code takeover(...)} a candidate preempts a leader whose key is worse (KEP-2835, {@link io.cle.KeyComparison}).
 * {@link io.cle.ResourceLock} says what the record is: a Lease, or the annotation that older electors use.
 *
 * <h2>Packages</h2>
 *
 * <p>Beside this one, {@code io.cle.strategy} and {@code io.cle.model} are for a strategy of one's own, {@code io.cle.kubernetes} is the way to a
 * cluster, and {@code io.cle.migration} KEP-2436's configuration. Packages named {@code internal} may change with any release.
 */
@NullMarked
package io.cle;

import org.jspecify.annotations.NullMarked;
