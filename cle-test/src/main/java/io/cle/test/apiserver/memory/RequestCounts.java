package io.cle.test.apiserver.memory;

import java.util.Map;
import java.util.TreeMap;

/**
 * The number of requests by verb and resource. The verbs are those of Kubernetes' RBAC: get, list, watch, create,
 * update, patch, delete; discovery and health checks aren't counted.
 *
 * @param byVerbAndResource counts by {@code <verb> <plural>}, such as {@code update leases}
 */
public record RequestCounts(Map<String, Long> byVerbAndResource) {

    /** Keeps a copy. */
    public RequestCounts {
        byVerbAndResource = Map.copyOf(byVerbAndResource);
    }

    /** All requests. */
    public long total() {
        return byVerbAndResource.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The requests with this verb for this resource's plural. */
    public long of(String verb, String resource) {
        return byVerbAndResource.getOrDefault(verb + " " + resource, 0L);
    }

    /** Returns the increase since an earlier count. */
    public RequestCounts since(RequestCounts earlier) {
        Map<String, Long> difference = new TreeMap<>();
        byVerbAndResource.forEach((what, count) -> {
            long more = count - earlier.byVerbAndResource.getOrDefault(what, 0L);
            if (more != 0) {
                difference.put(what, more);
            }
        });
        return new RequestCounts(difference);
    }

    @Override
    public String toString() {
        return new TreeMap<>(byVerbAndResource).toString();
    }
}
