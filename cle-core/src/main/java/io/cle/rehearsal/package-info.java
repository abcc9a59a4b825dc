/**
 * What a process plays through before it counts: the life of a lock, in memory, with the very classes that it will lead by, and the
 * cipher of its connection.
 *
 * <p>A JVM loads and links code when it is first run, which makes the first hand-over of a process ten times slower than its second. In
 * an election that matters: the first hand-over of a leader is often its only one, and it is to a process that has just started.
 */
@NullMarked
package io.cle.rehearsal;

import org.jspecify.annotations.NullMarked;
