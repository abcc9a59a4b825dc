/**
 * The demo: {@code ShardedOrders} is the program, {@code Story} has the steps. The cluster and the replicas are
 * processes. {@code OrderBook} records and checks the replicas' work on orders; they reach it through
 * {@code OrderServer}. {@code ShardTerms} records which replica led which shard when.
 */
@NullMarked
package io.cle.samples.orders.demo;

import org.jspecify.annotations.NullMarked;
