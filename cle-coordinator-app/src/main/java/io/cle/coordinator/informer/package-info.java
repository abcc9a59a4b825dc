/**
 * What the informers of client-java need to observe leases, candidates and configurations without their known traps: types of
 * our own, of which only the decoded model is kept, and a {@link io.kubernetes.client.informer.ListerWatcher} over our transport
 * that tolerates unknown fields, asks for labels and bookmarks, backs off, and notices a watch that has died in silence.
 */
@NullMarked
package io.cle.coordinator.informer;

import org.jspecify.annotations.NullMarked;
