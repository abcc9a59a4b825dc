package io.cle.spring.event;

/**
 * Published when led work has ended with an exception while its term lasted. What happens next depends on
 * {@link io.cle.spring.onleader.OnLeader#onFailure()}; by default the work runs again after a delay.
 *
 * @param lease the name of the lease in this application
 * @param work the bean and its method
 * @param fencingToken the token of the term in which it failed
 * @param failure the exception
 */
public record LeaderWorkFailed(String lease, String work, long fencingToken, Throwable failure) {}
