/** A cluster for a laptop: an API server in memory and a coordinator, in one process. */
@NullMarked
package io.cle.samples.localcluster;

import org.jspecify.annotations.NullMarked;
