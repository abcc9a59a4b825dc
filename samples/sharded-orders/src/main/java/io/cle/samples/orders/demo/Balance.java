package io.cle.samples.orders.demo;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Computes whether shards are spread evenly, and the moves that this needs. Pure. */
final class Balance {

    private Balance() {}

    /** Returns how many shards each of some replicas leads. */
    static Map<String, Integer> counts(Map<Integer, String> leaders, Collection<String> replicas) {
        Map<String, Integer> counts = new TreeMap<>();
        replicas.forEach(replica -> counts.put(replica, 0));
        leaders.values().forEach(leader -> counts.merge(leader, 1, Integer::sum));
        return counts;
    }

    /** Returns whether these replicas lead all shards, and their numbers of shards differ by at most one. */
    static boolean even(Map<Integer, String> leaders, int shards, Collection<String> replicas) {
        Map<String, Integer> counts = counts(leaders, replicas);
        return leaders.size() == shards
                && counts.size() == replicas.size()
                && Collections.max(counts.values()) - Collections.min(counts.values()) <= 1;
    }

    /**
     * Returns how many shards have to move at least until these replicas lead all of them evenly: those of replicas
     * that are gone, and those that a replica has beyond its share, if the replicas with the most shards keep one more.
     */
    static int fewestMoves(Map<Integer, String> leaders, int shards, Collection<String> replicas) {
        Map<String, Integer> counts = counts(leaders, replicas);
        List<Integer> led = replicas.stream()
                .map(counts::get)
                .map(Objects::requireNonNull)
                .sorted(Collections.reverseOrder())
                .collect(Collectors.toList());
        int stay = 0;
        for (int i = 0; i < led.size(); i++) {
            int part = shards / led.size() + (i < shards % led.size() ? 1 : 0);
            stay += Math.min(led.get(i), part);
        }
        return leaders.size() - stay;
    }
}
