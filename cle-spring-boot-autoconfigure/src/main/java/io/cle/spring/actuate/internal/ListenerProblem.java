package io.cle.spring.actuate.internal;

import java.time.Instant;

/**
 * An application listener that failed on a leadership event, or has not returned from it. Gone once the listener has handled a later
 * event of the type, or has returned.
 *
 * @param lease the name of the lease in this application
 * @param listener the listener's id, which for a method is {@code Class.method(parameters)}
 * @param event the simple name of the event's class
 * @param since when it was called, by this process's wall clock
 * @param problem what it threw, or that it still blocks
 */
public record ListenerProblem(String lease, String listener, String event, Instant since, String problem) {}
