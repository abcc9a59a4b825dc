/**
 * {@link io.cle.spring.onleader.OnLeader}: work that only the leader does. Comes in: annotated beans, and the terms of the locks. Goes
 * out: methods that run while this process leads, guards on triggered methods, beans that are started and stopped with a term; their
 * end, which a lock waits for before it releases its lease; and how all of it fares. No class here decides who leads.
 */
@NullMarked
package io.cle.spring.onleader;

import org.jspecify.annotations.NullMarked;
