package io.cle.spring.properties.internal;

/**
 * Where the lock of the default lease comes from.
 *
 * @param replaced whether a test has replaced the bean, for example by a mock; then no cluster is needed, and none is looked for
 */
public record LockOrigin(boolean replaced) {}
