/**
 * The coordination itself: the reconciler that client-java's controller runs, the gate that lets it work only while this replica
 * leads, and the election among the replicas.
 */
@NullMarked
package io.cle.coordinator.control;

import org.jspecify.annotations.NullMarked;
