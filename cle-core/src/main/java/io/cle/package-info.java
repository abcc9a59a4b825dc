/**
 * Leader election on Kubernetes: one replica of a program leads at a time, agreed on through a Lease in the cluster.
 *
 * <h2>Lead work</h2>
 *
 * <pre>{@code
 * LeadershipListener work = ...; // begins work in onGranted, interrupts it in onRevoked, and reports its end in drained
 * try (LeaderElection election = LeaderElection.builder(apiClient).lease("shop", "orders").listener(work).start()) {
 *     ...
 * }
 * }</pre>
 *
 * <p>{@link io.cle.plain.LeaderElection} makes this process a candidate. A {@link io.cle.LeadershipListener} is called when a
 * {@linkplain io.cle.Term term} begins and ends; the lease is released when its work has ended. Closing the election hands the lease over.
 *
 * <h2>Ask who leads</h2>
 *
 * <p>{@link io.cle.plain.LeaderElection#lock()} is the {@link io.cle.CoordinatedLeaseLock}: whether this process leads at this instant, who the
 * leader is, the fencing token, a {@linkplain io.cle.LockSnapshot snapshot} for display, and
 * {@linkplain io.cle.LeadershipListener listeners}. In a Spring application the lock is a bean.
 *
 * <h2>What is guaranteed</h2>
 *
 * <p>{@link io.cle.CoordinatedLeaseLock#isLeader()} is never true in two processes at once for the same lease, as long as the rates of
 * their clocks differ by less than the ratio of lease duration to renew deadline ({@link io.cle.Timings}). Clock skew does not matter. A
 * term ends by itself at the renew deadline after its last successful renewal was sent, even if a thread of the lock is stuck.
 *
 * <p>Not guaranteed: that requests which the work has sent to other systems have ended when the term has. A store that compares
 * {@linkplain io.cle.Term#fencingToken() fencing tokens} rejects the writes of an ended term.
 *
 * <h2>Who is elected</h2>
 *
 * <p>By default the candidates race for the lease, as with client-go. With {@code coordinated(...)} a coordinator elects the best of them
 * (KEP-4355); with {@code takeover(...)} a candidate preempts a leader whose key is worse (KEP-2835, {@link io.cle.KeyComparison}).
 * {@link io.cle.ResourceLock} is the kind of record: a Lease, or the annotation that older electors use.
 *
 * <h2>Packages</h2>
 *
 * <p>{@code io.cle.plain} is for applications without Spring, {@code io.cle.strategy} and {@code io.cle.model} are for custom strategies, {@code
 * io.cle.kubernetes} configures the access to a cluster, and {@code io.cle.migration} is KEP-2436's configuration. Packages named {@code internal}
 * may change with any release.
 */
@NullMarked
package io.cle;

import org.jspecify.annotations.NullMarked;
