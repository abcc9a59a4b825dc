/**
 * Work that only the leader does: the annotation {@link io.cle.spring.onleader.OnLeader}. The implementation is in
 * {@code io.cle.spring.onleader.internal}.
 */
@NullMarked
package io.cle.spring.onleader;

import org.jspecify.annotations.NullMarked;
