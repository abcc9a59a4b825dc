package io.cle.spring.onleader;

import java.time.Duration;

/**
 * How long failed work waits before its next attempt in the same term.
 *
 * @param first after the first failure; doubles with each further one
 * @param longest the delay doesn't grow beyond; a run that lasted longer than this begins with {@code first} again
 */
record RetryDelays(Duration first, Duration longest) {}
