/**
 * The demo: {@code ShardedOrders} is the program, {@code Story} has the steps. A cluster and the replicas are processes; what they do to orders is
 * recorded and checked by {@code OrderBook}, which they reach through {@code OrderServer}. {@code ShardTerms} has who led which shard when.
 */
@NullMarked
package io.cle.samples.orders.demo;

import org.jspecify.annotations.NullMarked;
