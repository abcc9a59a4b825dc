package io.cle.spring.actuate.internal;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

import io.cle.CoordinatedLeaseLock;
import io.cle.LockSnapshot;
import io.cle.Resignation;
import io.cle.spring.kubernetes.internal.CandidateFormats;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.internal.CandidateAvailability;
import io.cle.spring.lock.internal.StartupWatch;
import io.cle.spring.onleader.internal.LeaderWork;
import io.cle.spring.onleader.internal.WorkLog;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * For each lease the holder, this process's role, and how they came about. Read-only by default, because every client that reaches the
 * endpoint could otherwise end the leader's term again and again; with {@code management.endpoint.leaderelection.access=unrestricted} a leader
 * can be asked to resign.
 */
@Endpoint(id = "leaderelection", defaultAccess = Access.READ_ONLY)
public class LeaderElectionEndpoint {

    private static final int ACCEPTED = 202;
    private static final int CONFLICT = 409;
    private static final int BAD_GATEWAY = 502;

    /** How long a request waits for the end of a resignation. Work may take longer to stop than an HTTP client waits. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final LeaseLocks locks;
    private final CandidateFormats formats;
    private final Function<String, Collection<WorkLog.Status>> work;
    private final Function<String, Optional<CandidateAvailability.Status>> requirements;
    private final Supplier<Optional<String>> startup;

    /**
     * Shows the leases of an application.
     *
     * @param work the status of the led work of a lease, by the lease's name
     * @param requirements what the candidate of a lease requires of the application, by the lease's name
     * @param startup what the start of the application waits for; empty if it is ready
     */
    public LeaderElectionEndpoint(
            LeaseLocks locks,
            CandidateFormats formats,
            Function<String, Collection<WorkLog.Status>> work,
            Function<String, Optional<CandidateAvailability.Status>> requirements,
            Supplier<Optional<String>> startup) {
        this.locks = locks;
        this.formats = formats;
        this.work = work;
        this.requirements = requirements;
        this.startup = startup;
    }

    /** Shows the leases of an application, by beans of which some may be missing. */
    public static LeaderElectionEndpoint of(
            LeaseLocks locks,
            ObjectProvider<CandidateFormats> formats,
            ObjectProvider<LeaderWork> work,
            ObjectProvider<CandidateAvailability> availability,
            ObjectProvider<StartupWatch> startup) {
        return new LeaderElectionEndpoint(
                locks,
                lease -> formats.getIfAvailable(() -> CandidateFormats.NONE).of(lease),
                LeaderWork.status(work),
                lease -> availability.stream().findFirst().flatMap(known -> known.of(lease)),
                () -> startup.stream().findFirst().flatMap(StartupWatch::delay));
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
        LockSnapshot snapshot = lock.snapshot();
        CandidateFormats.Chosen format =
                snapshot.coordinated() ? formats.of(name).orElse(null) : null;
        return LeaseDescriptor.of(
                snapshot,
                format,
                work.apply(name),
                requirements.apply(name).orElse(null),
                startup.get().orElse(null));
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

    /**
     * Resigns in favour of another candidate, and waits up to 10 seconds for the hand-over.
     *
     * @param successor the candidate's identity
     * @return 200 with the outcome; 202 if work is still stopping; 400 if the successor is blank; 404 if there is no such lease; 409 if
     *     this process doesn't lead, or the successor is no candidate; 502 with the reason if the API server doesn't say whether it is one
     */
    @WriteOperation
    public WebEndpointResponse<Map<String, String>> resignFor(@Selector String lease, String successor) {
        CoordinatedLeaseLock lock = locks.find(lease).orElse(null);
        if (lock == null) {
            return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
        }
        if (successor.isBlank()) {
            return new WebEndpointResponse<>(
                    Map.of("error", "the successor is blank; name a candidate, as in {\"successor\": \"orders-b\"}"),
                    WebEndpointResponse.STATUS_BAD_REQUEST);
        }
        try {
            Resignation outcome =
                    lock.resign(successor).toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            return switch (outcome) {
                case NOT_LEADING -> new WebEndpointResponse<>(notLeading(lock), CONFLICT);
                case NOT_A_CANDIDATE -> new WebEndpointResponse<>(notACandidate(lock, successor), CONFLICT);
                case RELEASED, EXPIRES -> outcome(outcome.name().toLowerCase(Locale.ROOT), successor, 200);
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

    /** All leases by name. */
    public record LeasesDescriptor(Map<String, LeaseDescriptor> leases) {}
}
