/**
 * {@link io.cle.spring.onleader.OnLeader}: work that is done by the leader and by nobody else. Methods that run while leading,
 * guards on triggered methods, beans that live as long as a term; and their end, which a lease waits for before it is handed over.
 */
@NullMarked
package io.cle.spring.onleader;

import org.jspecify.annotations.NullMarked;
