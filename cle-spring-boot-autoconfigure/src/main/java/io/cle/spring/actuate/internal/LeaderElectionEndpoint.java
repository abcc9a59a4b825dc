package io.cle.spring.actuate.internal;

import java.util.LinkedHashMap;
import java.util.Map;

import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.spring.kubernetes.internal.LeaseFormats;
import io.cle.spring.lock.LeaseLocks;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * For each lease the holder, this process's role, and how they came about. Read-only by default, because whoever reaches the endpoint
 * could otherwise end the leader's term again and again; with {@code management.endpoint.leaderelection.access=unrestricted} a leader
 * can be asked to resign.
 */
@Endpoint(id = "leaderelection", defaultAccess = Access.READ_ONLY)
public class LeaderElectionEndpoint {

    private static final int CONFLICT = 409;

    private final LeaseLocks locks;
    private final LeaseFormats formats;
    private final LeaseActivity activity;

    /** Shows the leases of an application. */
    public LeaderElectionEndpoint(LeaseLocks locks, LeaseFormats formats, LeaseActivity activity) {
        this.locks = locks;
        this.formats = formats;
        this.activity = activity;
    }

    /** All leases by name. */
    @ReadOperation
    public LeasesDescriptor leases() {
        Map<String, LeaseDescriptor> leases = new LinkedHashMap<>();
        locks.asMap().forEach((name, lock) -> leases.put(name, describe(name, lock)));
        return new LeasesDescriptor(leases);
    }

    /** One lease; {@code null}, which is answered with 404, if there is no such lease. */
    @ReadOperation
    public @Nullable LeaseDescriptor lease(@Selector String lease) {
        return locks.find(lease).map(lock -> describe(lease, lock)).orElse(null);
    }

    private LeaseDescriptor describe(String name, CoordinatedLeaseLock lock) {
        return LeaseDescriptor.of(lock.snapshot(), formats.of(name).orElse(null), name, activity);
    }

    /**
     * Resigns: the running term is drained and the lease released. Doesn't wait for that.
     *
     * @return 204; 404 if there is no such lease; 409 with the holder, if it is known, if this process doesn't lead
     */
    @DeleteOperation
    public WebEndpointResponse<Map<String, String>> resign(@Selector String lease) {
        CoordinatedLeaseLock lock = locks.find(lease).orElse(null);
        if (lock == null) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        if (!lock.isLeader()) {
            return new WebEndpointResponse<>(notLeading(lock), CONFLICT);
        }
        lock.resign();
        return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
    }

    private static Map<String, String> notLeading(CoordinatedLeaseLock lock) {
        Map<String, String> body = new LinkedHashMap<>();
        body.put(
                "error",
                "this process does not lead the lease " + lock.snapshot().lease());
        lock.leader().ifPresent(holder -> body.put("holder", holder));
        return body;
    }

    /** All leases by name. */
    public record LeasesDescriptor(Map<String, LeaseDescriptor> leases) {}
}
