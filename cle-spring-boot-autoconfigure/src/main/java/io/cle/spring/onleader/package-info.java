/**
 * Work that only the leader does: the annotation {@link io.cle.spring.onleader.OnLeader} and the
 * auto-configuration. The implementation is in {@link io.cle.spring.onleader.internal}.
 */
@NullMarked
package io.cle.spring.onleader;

import org.jspecify.annotations.NullMarked;
