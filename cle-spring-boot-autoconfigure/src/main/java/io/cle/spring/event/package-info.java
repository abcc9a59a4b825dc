/**
 * Leadership events for Spring applications: granted and revoked, in pairs and in order, and changes of the holder, on
 * all replicas. They are published like any Spring event.
 */
@NullMarked
package io.cle.spring.event;

import org.jspecify.annotations.NullMarked;
