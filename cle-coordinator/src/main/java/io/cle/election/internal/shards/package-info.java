/**
 * The decisions that only leases with shards and leases of a group need: {@link io.cle.election.internal.shards.ShardAssignment} assigns leases to
 * candidates, {@link io.cle.election.internal.shards.KeyOwnership} decides which leases own a key. Pure, and independent of the other packages of the
 * coordinator, whose {@code GroupEntry}, {@code KeyEntry} and {@code KeyCheck} carry the decisions out.
 */
@NullMarked
package io.cle.election.internal.shards;

import org.jspecify.annotations.NullMarked;
