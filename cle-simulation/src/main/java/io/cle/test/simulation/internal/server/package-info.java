/**
 * The simulated API server and what lies between it and the processes: the network with its faults, connections of watches, and caches that lag.
 *
 * <p>What comes in: requests and watches of {@link io.cle.kubernetes.internal.transport.KubernetesTransport}, and faults. What goes out: answers and
 * events, late, twice or never; and to an auditor and a listener every write, request and delivery. What must not be here: what a request is for,
 * and whether it should have been sent.
 */
@NullMarked
package io.cle.test.simulation.internal.server;

import org.jspecify.annotations.NullMarked;
