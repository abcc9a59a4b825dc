/**
 * Keeps a former leader from committing database transactions of led work. Comes in: Spring's transactions and the {@link io.cle.Term}
 * of the calling thread. Goes out: an SQL statement before each commit. {@code docs/fencing.md} explains the rule.
 */
@NullMarked
package io.cle.fencing.jdbc;

import org.jspecify.annotations.NullMarked;
