/**
 * The coordinator for a process that contains a whole cluster: a test, a demo, a laptop. Comes in: the address of an
 * API server. Goes out: elections. Needs the optional dependency {@code cle-coordinator} on the class path. In a real
 * cluster, run {@code cle-coordinator-app} instead.
 */
@NullMarked
package io.cle.test.coordinator;

import org.jspecify.annotations.NullMarked;
