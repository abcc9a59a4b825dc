package io.cle.spring.actuate.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import io.cle.LockSnapshot;
import io.cle.Role;
import io.cle.spring.lock.internal.Lease;
import org.jspecify.annotations.Nullable;

/**
 * A lease that has shards on {@code /actuator/leaderelection}, as this process observes it.
 *
 * @param shards how many shards it has
 * @param identity the identity of this process
 * @param held the shards that this process leads
 * @param draining the shards whose term has ended here, and whose work hasn't
 * @param shardsByHolder how many shards each process holds
 * @param withoutHolder how many shards no process holds
 * @param uncoordinated why no coordinator can elect this process
 */
public record GroupDescriptor(
        int shards,
        String identity,
        List<Integer> held,
        List<Integer> draining,
        Map<String, Integer> shardsByHolder,
        int withoutHolder,
        @Nullable String uncoordinated) {

    /** Describes the shards of a lease; empty if it has none. */
    static Optional<GroupDescriptor> of(List<Lease> shards) {
        if (shards.isEmpty() || shards.get(0).shard().isEmpty()) {
            return Optional.empty();
        }
        List<Integer> held = new ArrayList<>();
        List<Integer> draining = new ArrayList<>();
        Map<String, Integer> holders = new TreeMap<>();
        int withoutHolder = 0;
        for (int index = 0; index < shards.size(); index++) {
            LockSnapshot shard = shards.get(index).lock().snapshot();
            if (shard.role() == Role.LEADER) {
                held.add(index);
            } else if (shard.role() == Role.DRAINING) {
                draining.add(index);
            }
            String holder = shard.observed().holder();
            if (holder == null) {
                withoutHolder++;
            } else {
                holders.merge(holder, 1, Integer::sum);
            }
        }
        LockSnapshot first = shards.get(0).lock().snapshot();
        return Optional.of(new GroupDescriptor(
                shards.size(), first.identity(), held, draining, holders, withoutHolder, first.uncoordinated()));
    }
}
