/**
 * What an operator sees of leader election. Comes in: the snapshots of the locks, the status of led work, and the failures of listeners.
 * Goes out: the endpoint, the health, the info and the meters. Nothing here
 * decides who leads, except that an operator may make this process resign.
 */
@NullMarked
package io.cle.spring.actuate.internal;

import org.jspecify.annotations.NullMarked;
