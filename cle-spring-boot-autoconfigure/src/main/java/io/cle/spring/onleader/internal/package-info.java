/**
 * Work that only the leader does. Comes in: beans with {@code @OnLeader}, calls of their guarded methods, and the grants and revocations of
 * the locks. Goes out: runs in terms, retried after failures; the refusal of annotations that can't work; and the guarantee that a lease
 * isn't handed over before its runs have ended, or the drain timeout is over.
 *
 * <ul>
 *   <li>At startup, {@link io.cle.spring.onleader.internal.OnLeaderBeans} finds the annotated beans,
 *       {@link io.cle.spring.onleader.internal.OnLeaderRules} refuses annotations that can't work, and
 *       {@link io.cle.spring.onleader.internal.OnLeaderPostProcessor} applies the guards.
 *   <li>A method that runs in each term: {@link io.cle.spring.onleader.internal.LeaseWork} listens to the lock and begins its
 *       {@link io.cle.spring.onleader.internal.LeaderTask}s; each makes a {@link io.cle.spring.onleader.internal.LeaderRun} and calls a
 *       {@link io.cle.spring.onleader.internal.LeaderMethod}.
 *   <li>A call of a guarded method: {@link io.cle.spring.onleader.internal.OnLeaderInterceptor} finds its lease in
 *       {@link io.cle.spring.onleader.internal.LeaderWork}, and calls it as a run of the {@code LeaseWork}.
 * </ul>
 */
@NullMarked
package io.cle.spring.onleader.internal;

import org.jspecify.annotations.NullMarked;
