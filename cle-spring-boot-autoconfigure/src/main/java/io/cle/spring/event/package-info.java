/**
 * The events of leadership as a Spring application listens to them: granted and revoked in pairs and in order, who leads (on
 * replicas that don't lead too), and led work that has failed. They are published as any event of Spring is.
 */
@NullMarked
package io.cle.spring.event;

import org.jspecify.annotations.NullMarked;
