package io.cle.spring.actuate.internal;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.cle.CoordinatedLeaseLock;
import io.cle.LockSnapshot;
import io.cle.Resignation;
import io.cle.spring.kubernetes.internal.MarkedPod;
import io.cle.spring.lock.internal.ApplicationLease;
import io.cle.spring.lock.internal.Leases;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Shows for each lease the holder, this process's role, and the reasons. Read-only by default, because otherwise every client that reaches
 * the endpoint could end the leader's term again and again. With {@code management.endpoint.leaderelection.access=unrestricted} a client
 * can ask a leader to resign.
 */
@Endpoint(id = "leaderelection", defaultAccess = Access.READ_ONLY)
public class LeaderElectionEndpoint {

    private static final int ACCEPTED = 202;
    private static final int CONFLICT = 409;
    private static final int BAD_GATEWAY = 502;

    /** The longest wait of a request for the end of a resignation. Work may take longer to stop than an HTTP client waits. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Leases leases;
    private final @Nullable MarkedPod pod;

    /**
     * Shows the leases of an application.
     *
     * @param pod {@code null} unless the leader's pod is marked
     */
    public LeaderElectionEndpoint(Leases leases, @Nullable MarkedPod pod) {
        this.leases = leases;
        this.pod = pod;
    }

    /** Returns all leases by name. */
    @ReadOperation
    public LeasesDescriptor leases() {
        Map<String, LeaseDescriptor> described = new LinkedHashMap<>();
        leases.all().forEach(lease -> described.put(lease.name(), LeaseDescriptor.of(lease)));
        Map<String, GroupDescriptor> groups = new LinkedHashMap<>();
        leases.commonNames().forEach(name -> GroupDescriptor.of(leases.of(name)).ifPresent(it -> groups.put(name, it)));
        return new LeasesDescriptor(pod == null ? null : pod.status(), groups.isEmpty() ? null : groups, described);
    }

    /** Returns one lease; {@code null}, which results in 404, if there is no such lease. */
    @ReadOperation
    public @Nullable LeaseDescriptor lease(@Selector String lease) {
        return leases.find(lease).map(LeaseDescriptor::of).orElse(null);
    }

    /**
     * Resigns: the running term is drained and the lease released. Doesn't wait for that.
     *
     * @return 204; 404 if there is no such lease; 409, with the holder if known, if this process doesn't lead
     */
    @DeleteOperation
    public WebEndpointResponse<Map<String, String>> resign(@Selector String lease) {
        CoordinatedLeaseLock lock =
                leases.find(lease).map(ApplicationLease::lock).orElse(null);
        if (lock == null) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        if (!lock.isLeader()) {
            return new WebEndpointResponse<>(notLeading(lock), CONFLICT);
        }
        lock.resign();
        return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
    }

    /**
     * Resigns in favour of another candidate, and waits up to 10 seconds for the hand-over.
     *
     * @param successor the candidate's identity
     * @return 200 with the outcome; 202 if work is still stopping; 400 if none is named; 404 if there is no such lease; 409 if
     *     this process doesn't lead, or the successor is no candidate; 502 with the reason if the API server doesn't say whether it is one
     */
    @WriteOperation
    public WebEndpointResponse<Map<String, String>> resignFor(@Selector String lease, @Nullable String successor) {
        CoordinatedLeaseLock lock =
                leases.find(lease).map(ApplicationLease::lock).orElse(null);
        if (lock == null) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        if (successor == null || successor.isBlank()) {
            return new WebEndpointResponse<>(
                    Map.of(
                            "error",
                            "the body names no successor; name a candidate, as in {\"successor\": \"orders-b\"}"),
                    WebEndpointResponse.STATUS_BAD_REQUEST);
        }
        try {
            Resignation outcome =
                    lock.resign(successor).toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return switch (outcome) {
                case NOT_LEADING -> new WebEndpointResponse<>(notLeading(lock), CONFLICT);
                case NOT_A_CANDIDATE -> new WebEndpointResponse<>(notACandidate(lock, successor), CONFLICT);
                case RELEASED -> outcome("handed over", successor, 200);
                case EXPIRES -> outcome("expires", successor, 200);
            };
        } catch (TimeoutException e) {
            return outcome("draining", successor, ACCEPTED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return outcome("draining", successor, ACCEPTED);
        } catch (ExecutionException e) {
            Throwable failure = e.getCause() == null ? e : e.getCause();
            return new WebEndpointResponse<>(Map.of("error", String.valueOf(failure.getMessage())), BAD_GATEWAY);
        }
    }

    private static WebEndpointResponse<Map<String, String>> outcome(String outcome, String successor, int status) {
        Map<String, String> body = new LinkedHashMap<>();
        body.put("outcome", outcome);
        body.put("successor", successor);
        return new WebEndpointResponse<>(body, status);
    }

    private static Map<String, String> notACandidate(CoordinatedLeaseLock lock, String successor) {
        LockSnapshot snapshot = lock.snapshot();
        String lease = snapshot.lease().toString();
        String reason = snapshot.coordinated()
                ? "'" + successor + "' is not another candidate for " + lease + "; this process continues to lead"
                : "candidates for " + lease
                        + " race for it and are not announced, so none can be named; DELETE resigns";
        return Map.of("error", reason);
    }

    private static Map<String, String> notLeading(CoordinatedLeaseLock lock) {
        Map<String, String> body = new LinkedHashMap<>();
        body.put(
                "error",
                "this process does not lead the lease " + lock.snapshot().lease());
        lock.leader().ifPresent(holder -> body.put("holder", holder));
        return body;
    }

    /**
     * All leases by name.
     *
     * @param pod the pod of this process; {@code null} unless the leader's pod is marked
     * @param groups the leases that have shards; {@code null} if none has
     * @param leases the leases without shards, and each shard
     */
    public record LeasesDescriptor(
            MarkedPod.@Nullable Status pod,
            @Nullable Map<String, GroupDescriptor> groups,
            Map<String, LeaseDescriptor> leases) {}
}
