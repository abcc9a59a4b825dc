package io.cle.runtime.internal.coordinator;

/**
 * A problem with a lease, its candidates or its configuration, which is reported once.
 *
 * @param reason the reason of the Event, in camel case
 * @param message what is wrong, and what follows from it
 */
record Warning(String reason, String message) {}
