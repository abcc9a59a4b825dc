package io.cle.spring.event;

/**
 * Work of the leader has ended with an exception while its term lasted. What happens next is what
 * {@link io.cle.spring.onleader.OnLeader#onFailure()} says; by default it is run again after a delay.
 *
 * @param lease the name of the lease in this application
 * @param work the bean and its method
 * @param fencingToken the token of the term in which it failed
 * @param failure what it threw
 */
public record LeaderWorkFailed(String lease, String work, long fencingToken, Throwable failure) {}
