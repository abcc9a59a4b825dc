package io.cle.spring.event;

/**
 * Work of the leader has ended by an exception; it isn't run again in the same term. The process still leads: a listener that wants
 * another one to try may {@code resign()}.
 *
 * @param lease the name of the lease in this application
 * @param work the bean and its method
 * @param fencingToken the token of the term it was done under
 * @param failure what it has thrown
 */
public record LeaderWorkFailed(String lease, String work, long fencingToken, Throwable failure) {}
