/**
 * Database transactions of led work that a former leader can't commit. In come Spring's transactions and the {@link io.cle.Term} of the
 * calling thread; out goes an SQL statement before each commit. The rule is argued in {@code docs/fencing.md}.
 */
@NullMarked
package io.cle.fencing.jdbc;

import org.jspecify.annotations.NullMarked;
