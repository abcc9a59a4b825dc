package io.cle.test.apiserver.elections;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.cle.test.apiserver.memory.ApiServerRequest;
import io.cle.test.apiserver.memory.ServerResponse;
import io.cle.test.apiserver.resource.MicroTime;
import io.cle.test.apiserver.store.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * kube-apiserver's election controller, one step at a time. It relies on its wall clock, waits for every candidate that
 * it has pinged, sets a preferred holder whoever the holder is, and elects only by its own strategy once the lease
 * exists. It has no loop and no clock of its own: its owner calls {@link #step} for a lease when the lease or one of
 * its candidates has changed, and again after the delay that the step returns.
 *
 * <p>Not thread-safe.
 */
public final class KubeApiserverElections {

    private static final String OWN_STRATEGY = "OldestEmulationVersion";
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration ADMISSIBLE = Duration.ofMinutes(30);
    private static final Duration STALE = Duration.ofMinutes(15);
    private static final Optional<Duration> WHEN_SOMETHING_HAPPENS = Optional.empty();
    private static final Optional<Duration> SOON = Optional.of(PATIENCE);

    private final Server server;
    private final Supplier<Instant> wallClock;
    private Map<String, NativeCandidate> read = Map.of();

    /** Handles the controller's requests, as the in-memory server does. */
    @FunctionalInterface
    public interface Server {
        /** Handles a request. */
        ServerResponse handle(ApiServerRequest request);
    }

    /**
     * Creates a controller.
     *
     * @param server answers its requests
     * @param wallClock the server's clock
     */
    public KubeApiserverElections(Server server, Supplier<Instant> wallClock) {
        this.server = server;
        this.wallClock = wallClock;
    }

    /**
     * Reconciles one lease.
     *
     * @return the delay until the next step if nothing changes; empty to wait for a change
     * @throws IllegalStateException where a real kube-apiserver would crash
     */
    public Optional<Duration> step(String namespace, String lease) {
        Instant now = wallClock.get();
        List<NativeCandidate> candidates = candidates(namespace, lease, now);
        if (candidates.isEmpty()) {
            return WHEN_SOMETHING_HAPPENS;
        }
        JsonObject present = find(leases(namespace) + "/" + lease);
        Optional<String> strategy = strategy(candidates);
        if (strategy.isEmpty() || !needed(present, candidates, strategy.get(), now)) {
            return SOON;
        }
        if (ping(namespace, candidates, now) || candidates.stream().anyMatch(candidate -> awaited(candidate, now))) {
            return SOON;
        }
        List<NativeCandidate> voters = candidates.stream()
                .filter(candidate -> candidate.renewTime().plus(PATIENCE).isAfter(now))
                .toList();
        if (voters.isEmpty()) {
            return WHEN_SOMETHING_HAPPENS;
        }
        strategy(voters).ifPresent(elected -> write(namespace, lease, present, elected, voters, now));
        return SOON;
    }

    private List<NativeCandidate> candidates(String namespace, String lease, Instant now) {
        List<NativeCandidate> candidates = new ArrayList<>();
        Map<String, NativeCandidate> listed = new HashMap<>();
        ServerResponse response = server.handle(ApiServerRequest.get(candidates(namespace)));
        if (response instanceof ServerResponse.Answer answer && answer.code() == 200) {
            for (JsonElement item : answer.object().getAsJsonArray("items")) {
                JsonObject object = item.getAsJsonObject();
                NativeCandidate standing = standing(object);
                if (standing != null) {
                    listed.put(standing.name(), standing);
                }
                if (lease.equals(Metadata.string(object.getAsJsonObject("spec"), "leaseName"))
                        && standing != null
                        && !standing.renewTime().plus(ADMISSIBLE).isBefore(now)) {
                    candidates.add(standing);
                }
            }
        }
        read = listed;
        return candidates;
    }

    /** Reuses the candidate of the previous list if it hasn't changed. */
    private @Nullable NativeCandidate standing(JsonObject object) {
        NativeCandidate before = read.get(Metadata.name(object));
        boolean same = before != null && Objects.equals(before.resourceVersion(), Metadata.resourceVersion(object));
        return same ? before : NativeCandidate.of(object);
    }

    /** Returns the strategy of the highest binary version; empty if its candidates disagree. */
    private static Optional<String> strategy(List<NativeCandidate> candidates) {
        NativeCandidate highest = Collections.max(candidates, Comparator.comparing(NativeCandidate::binaryVersion));
        for (NativeCandidate candidate : candidates) {
            if (candidate.binaryVersion().compareTo(highest.binaryVersion()) == 0
                    && !candidate.strategy().equals(highest.strategy())) {
                return Optional.empty();
            }
        }
        return Optional.of(highest.strategy());
    }

    private static boolean needed(
            @Nullable JsonObject lease, List<NativeCandidate> candidates, String strategy, Instant now) {
        if (lease == null || open(lease, now)) {
            return true;
        }
        for (NativeCandidate candidate : candidates) {
            if (candidate.renewTime().plus(STALE).isBefore(now)) {
                return true;
            }
        }
        return strategy.equals(OWN_STRATEGY)
                && !best(candidates).equals(Metadata.string(lease.getAsJsonObject("spec"), "holderIdentity"));
    }

    private static String best(List<NativeCandidate> candidates) {
        return Collections.min(candidates, NativeCandidate.OLDEST_FIRST).name();
    }

    /** Whether a lease has no holder, or has expired by the wall clocks of holder and server. */
    private static boolean open(JsonObject lease, Instant now) {
        JsonObject spec = lease.getAsJsonObject("spec");
        String holder = Metadata.string(spec, "holderIdentity");
        Instant renewTime = NativeCandidate.time(spec, "renewTime");
        return holder == null
                || holder.isEmpty()
                || renewTime == null
                || !spec.has("leaseDurationSeconds")
                || renewTime
                        .plusSeconds(spec.get("leaseDurationSeconds").getAsLong())
                        .isBefore(now);
    }

    /** Pings candidates without a recent renewal or unacknowledged ping; returns whether it pinged any. */
    private boolean ping(String namespace, List<NativeCandidate> candidates, Instant now) {
        boolean any = false;
        for (NativeCandidate candidate : candidates) {
            boolean askable = candidate.pingTime() == null
                    || (candidate.pingTime().plus(PATIENCE).isBefore(now) && candidate.acknowledged());
            if (candidate.renewTime().plus(PATIENCE).isBefore(now) && askable) {
                JsonObject spec = new JsonObject();
                spec.addProperty("pingTime", MicroTime.format(now));
                patch(candidates(namespace) + "/" + candidate.name(), candidate.resourceVersion(), spec);
                any = true;
            }
        }
        return any;
    }

    private static boolean awaited(NativeCandidate candidate, Instant now) {
        Instant pingTime = candidate.pingTime();
        return pingTime != null
                && !candidate.acknowledged()
                && pingTime.plus(PATIENCE).isAfter(now);
    }

    private void write(
            String namespace,
            String lease,
            @Nullable JsonObject present,
            String strategy,
            List<NativeCandidate> voters,
            Instant now) {
        boolean own = strategy.equals(OWN_STRATEGY);
        String best = best(voters);
        if (present == null) {
            create(namespace, lease, strategy, own ? best : null, now);
            return;
        }
        JsonObject before = present.getAsJsonObject("spec");
        JsonObject spec = new JsonObject();
        if (!strategy.equals(Metadata.string(before, "strategy"))) {
            spec.addProperty("strategy", strategy);
        }
        if (own) {
            elect(lease, present, best, spec, now);
        }
        if (spec.size() > 0) {
            patch(leases(namespace) + "/" + lease, Metadata.resourceVersion(present), spec);
        }
    }

    private static void elect(String lease, JsonObject present, String best, JsonObject spec, Instant now) {
        JsonObject before = present.getAsJsonObject("spec");
        String holder = Metadata.string(before, "holderIdentity");
        if (holder == null) {
            throw new IllegalStateException(
                    "kube-apiserver would crash: lease " + lease + " has an absent, not an empty, holderIdentity");
        }
        if (holder.equals(best)) {
            return;
        }
        if (open(present, now)) {
            spec.addProperty("holderIdentity", best);
            spec.addProperty("leaseDurationSeconds", PATIENCE.toSeconds());
            spec.addProperty("renewTime", MicroTime.format(now));
            spec.add("preferredHolder", JsonNull.INSTANCE);
            spec.add("acquireTime", JsonNull.INSTANCE);
        } else if (!best.equals(Metadata.string(before, "preferredHolder"))) {
            spec.addProperty("preferredHolder", best);
            spec.add("strategy", new JsonPrimitive(OWN_STRATEGY));
        }
    }

    private void create(String namespace, String lease, String strategy, @Nullable String holder, Instant now) {
        JsonObject metadata = new JsonObject();
        metadata.addProperty("name", lease);
        JsonObject spec = new JsonObject();
        if (holder != null) {
            spec.addProperty("holderIdentity", holder);
        }
        spec.addProperty("leaseDurationSeconds", PATIENCE.toSeconds());
        spec.addProperty("renewTime", MicroTime.format(now));
        spec.addProperty("strategy", strategy);
        JsonObject object = new JsonObject();
        object.add("metadata", metadata);
        object.add("spec", spec);
        server.handle(ApiServerRequest.post(leases(namespace), object));
    }

    /** Patches by compare and swap; only the next step retries a failure. */
    private void patch(String path, @Nullable String resourceVersion, JsonObject spec) {
        JsonObject metadata = new JsonObject();
        metadata.addProperty("resourceVersion", resourceVersion);
        JsonObject patch = new JsonObject();
        patch.add("metadata", metadata);
        patch.add("spec", spec);
        server.handle(ApiServerRequest.mergePatch(path, patch));
    }

    private @Nullable JsonObject find(String path) {
        ServerResponse response = server.handle(ApiServerRequest.get(path));
        return response instanceof ServerResponse.Answer answer && answer.code() == 200 ? answer.object() : null;
    }

    private static String leases(String namespace) {
        return "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases";
    }

    private static String candidates(String namespace) {
        return "/apis/coordination.k8s.io/v1beta1/namespaces/" + namespace + "/leasecandidates";
    }
}
