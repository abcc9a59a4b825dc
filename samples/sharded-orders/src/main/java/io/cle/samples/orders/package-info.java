/**
 * An application whose replicas share the orders of its customers: {@code OrderWorker} runs once per shard that a
 * replica leads. The code in {@code demo} starts, kills, upgrades and observes replicas.
 */
@NullMarked
package io.cle.samples.orders;

import org.jspecify.annotations.NullMarked;
