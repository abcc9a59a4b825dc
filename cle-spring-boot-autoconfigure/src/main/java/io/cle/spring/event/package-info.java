/**
 * Events of leadership for Spring applications: granted and revoked, in pairs and in order; changes of the holder, on all replicas. They are published like any event of Spring.
 */
@NullMarked
package io.cle.spring.event;

import org.jspecify.annotations.NullMarked;
