package io.cle.spring.actuate.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import io.cle.CoordinatedLeaseLock;
import io.cle.spring.lock.internal.ApplicationLease;

/**
 * A lease with shards on {@code /actuator/leaderelection}, as this process observes it.
 *
 * @param shards how many shards it has
 * @param held the shards that this process leads
 * @param shardsByHolder how many shards each process holds
 * @param withoutHolder how many shards no process holds
 */
public record GroupDescriptor(int shards, List<Integer> held, Map<String, Integer> shardsByHolder, int withoutHolder) {

    /** Describes the shards of a lease; empty if it has none. */
    static Optional<GroupDescriptor> of(List<ApplicationLease> shards) {
        if (shards.isEmpty() || shards.get(0).shard().isEmpty()) {
            return Optional.empty();
        }
        List<Integer> held = new ArrayList<>();
        Map<String, Integer> holders = new TreeMap<>();
        for (int index = 0; index < shards.size(); index++) {
            CoordinatedLeaseLock lock = shards.get(index).lock();
            if (lock.isLeader()) {
                held.add(index);
            }
            lock.leader().ifPresent(holder -> holders.merge(holder, 1, Integer::sum));
        }
        int withHolder = holders.values().stream().mapToInt(Integer::intValue).sum();
        return Optional.of(new GroupDescriptor(shards.size(), held, holders, shards.size() - withHolder));
    }
}
