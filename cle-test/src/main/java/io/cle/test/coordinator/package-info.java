/**
 * The coordinator for a process that has a whole cluster in it: a test, a demo, a laptop. Comes in: the address of an API server. Goes
 * out: elections. Needs {@code cle-coordinator} on the class path, an optional dependency. How the coordinator runs in a cluster of its own
 * is for {@code cle-coordinator-app}.
 */
@NullMarked
package io.cle.test.coordinator;

import org.jspecify.annotations.NullMarked;
