/**
 * The way to the cluster: which wire format it serves, whether this process has the rights it needs, and the order in which
 * everything starts and stops. An API server that is away is waited for, for ever.
 */
@NullMarked
package io.cle.coordinator.cluster;

import org.jspecify.annotations.NullMarked;
