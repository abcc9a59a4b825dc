/**
 * The access to the cluster: the wire format that it serves, the check of this process's rights, and the order in which everything starts
 * and stops. If the API server is unavailable, the coordinator waits for it without limit.
 */
@NullMarked
package io.cle.coordinator.cluster;

import org.jspecify.annotations.NullMarked;
