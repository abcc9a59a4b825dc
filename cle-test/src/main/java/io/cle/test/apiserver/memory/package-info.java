/**
 * An API server in memory, without HTTP and threads. Comes in: an
 * {@link io.cle.test.apiserver.memory.ApiServerRequest}. Goes out: a
 * {@link io.cle.test.apiserver.memory.ServerResponse}, for a watch a {@link io.cle.test.apiserver.memory.WatchStream}.
 * The rules of kinds are in {@code resource}, stored objects in {@code store}, HTTP in
 * {@link io.cle.test.apiserver.EmbeddedApiServer}.
 */
@NullMarked
package io.cle.test.apiserver.memory;

import org.jspecify.annotations.NullMarked;
