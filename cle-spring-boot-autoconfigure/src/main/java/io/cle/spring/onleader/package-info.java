/**
 * Work that only the leader does: what an application writes, {@link io.cle.spring.onleader.OnLeader} and the term that a run of
 * its work belongs to, with the auto-configuration and its properties. How it is done is in {@link io.cle.spring.onleader.internal}.
 */
@NullMarked
package io.cle.spring.onleader;

import org.jspecify.annotations.NullMarked;
