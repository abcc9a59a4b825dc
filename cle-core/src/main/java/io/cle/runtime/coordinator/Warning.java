package io.cle.runtime.coordinator;

/**
 * Something about a lease, its candidates or its configuration that isn't as it should be, for people to hear of once.
 *
 * @param word in camel case, as the reason of an Event
 * @param message what is wrong, and what follows from it
 */
record Warning(String word, String message) {}
