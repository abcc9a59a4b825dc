/**
 * Shows operators the state of leader election. Comes in: the leases, with the snapshots of their locks and the status
 * of their led work. Goes out: the endpoint, the health and the meters. Nothing here affects who leads, except that an
 * operator may make this process resign.
 */
@NullMarked
package io.cle.spring.actuate.internal;

import org.jspecify.annotations.NullMarked;
