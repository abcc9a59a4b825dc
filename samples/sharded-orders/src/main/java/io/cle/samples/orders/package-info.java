/**
 * An application whose replicas share the orders of its customers: {@code OrderWorker} runs once for each shard that a replica leads. What starts,
 * kills and upgrades replicas, and watches them, is in {@code demo}.
 */
@NullMarked
package io.cle.samples.orders;

import org.jspecify.annotations.NullMarked;
