/**
 * An API server in memory, without HTTP and threads. In comes a {@link io.cle.test.apiserver.memory.ApiServerRequest}; out goes a {@link
 * io.cle.test.apiserver.memory.ServerResponse}, which of a watch is a {@link io.cle.test.apiserver.memory.WatchStream}. What a kind of object may
 * look like is in {@code resource}, what is stored in {@code store}; how bytes come and go is for {@link io.cle.test.apiserver.EmbeddedApiServer}.
 */
@NullMarked
package io.cle.test.apiserver.memory;

import org.jspecify.annotations.NullMarked;
