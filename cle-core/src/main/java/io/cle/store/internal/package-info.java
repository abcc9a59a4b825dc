/**
 * The port to the Kubernetes API, in terms of the model: reading, watching and writing leases and candidates, with results
 * that tell a conflict, a missing object and an unknown outcome apart.
 *
 * <p>Everything here is asynchronous: no method blocks. Implementations complete stages and call watchers on the executor
 * they were made with, which is the one that runs the state machines, so that callers need no lock.
 */
@NullMarked
package io.cle.store.internal;

import org.jspecify.annotations.NullMarked;
