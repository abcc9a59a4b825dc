/**
 * The events of leadership as a Spring application listens to them. Comes in: what the locks report. Goes out: granted and revoked in
 * pairs and in order, and who leads, on replicas that don't lead too; each listener is called in isolation from the others.
 */
@NullMarked
package io.cle.spring.event;

import org.jspecify.annotations.NullMarked;
