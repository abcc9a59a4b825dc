package io.cle.spring.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import io.cle.runtime.CoordinatedLeaseLock;
import io.cle.spring.lock.LeaseFormats;
import io.cle.spring.lock.LeaseLocks;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** Who leads what, and why it is so; a leader can be asked to resign. */
@Endpoint(id = "leaderelection")
public class LeaderElectionEndpoint {

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

    /** One lease; {@code null}, which is answered with 404, when there is no such lease. */
    @ReadOperation
    public @Nullable LeaseDescriptor lease(@Selector String lease) {
        return locks.find(lease).map(lock -> describe(lease, lock)).orElse(null);
    }

    private LeaseDescriptor describe(String name, CoordinatedLeaseLock lock) {
        return LeaseDescriptor.of(lock.snapshot(), formats.of(name).orElse(null), name, activity);
    }

    /**
     * Resigns: the running term is drained and the lease handed over. Doesn't wait for that. Nothing happens where this process
     * doesn't lead.
     *
     * @return 204; 404 when there is no such lease
     */
    @DeleteOperation
    public WebEndpointResponse<Void> resign(@Selector String lease) {
        return locks.find(lease)
                .map(lock -> {
                    lock.resign();
                    return new WebEndpointResponse<Void>(WebEndpointResponse.STATUS_NO_CONTENT);
                })
                .orElseGet(() -> new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND));
    }

    /** All leases by name. */
    public record LeasesDescriptor(Map<String, LeaseDescriptor> leases) {}
}
