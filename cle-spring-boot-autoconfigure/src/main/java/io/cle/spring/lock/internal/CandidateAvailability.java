package io.cle.spring.lock.internal;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import io.cle.CoordinatedLeaseLock;
import io.cle.lock.internal.LeaseLock;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.properties.Requirement;
import io.cle.spring.properties.internal.LeaseProperties.Candidate;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.AvailabilityState;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.event.EventListener;

/**
 * Tells the locks whether the application's state is the one that its candidates need ({@code cle.candidate.requires}). It is the state
 * that the application publishes, and not its health: the health contributor of the election makes no candidate withdraw. A state that was
 * never published is a good one. Thread-safe.
 */
public final class CandidateAvailability implements LeaseLockCustomizer {

    private final Leases leases;
    private final Map<String, LeaseLock> locks = new ConcurrentHashMap<>();
    private @Nullable AvailabilityState readiness;
    private @Nullable AvailabilityState liveness;

    /**
     * Begins with the state that was published so far.
     *
     * @param availability {@code null} if the application has none
     */
    public CandidateAvailability(Leases leases, @Nullable ApplicationAvailability availability) {
        this.leases = leases;
        if (availability != null) {
            readiness = published(availability, ReadinessState.class);
            liveness = published(availability, LivenessState.class);
        }
    }

    private static <S extends AvailabilityState> @Nullable AvailabilityState published(
            ApplicationAvailability availability, Class<S> type) {
        AvailabilityChangeEvent<S> last = availability.getLastChangeEvent(type);
        return last == null ? null : last.getState();
    }

    /** A lock of another kind, such as one within a migration's or of the application's own, is left alone. */
    @Override
    public synchronized void customize(String name, CoordinatedLeaseLock lock) {
        if (lock instanceof LeaseLock leaseLock
                && candidate(name).filter(Candidate::enabled).isPresent()) {
            locks.put(name, leaseLock);
            tell(name, leaseLock);
        }
    }

    @Override
    public synchronized void dropped(String name) {
        locks.remove(name);
    }

    @EventListener
    synchronized void onChange(AvailabilityChangeEvent<?> event) {
        if (event.getState() instanceof ReadinessState state) {
            readiness = state;
        } else if (event.getState() instanceof LivenessState state) {
            liveness = state;
        } else {
            return;
        }
        locks.forEach(this::tell);
    }

    private void tell(String name, LeaseLock lock) {
        lock.setProblem(problem(requirementOf(name)));
    }

    private Optional<Candidate> candidate(String name) {
        return leases.find(name).map(lease -> lease.properties().candidate());
    }

    private Requirement requirementOf(String name) {
        return candidate(name).map(Candidate::requires).orElse(Requirement.NONE);
    }

    private @Nullable String problem(Requirement requirement) {
        if (requirement != Requirement.NONE && liveness == LivenessState.BROKEN) {
            return "liveness is BROKEN";
        }
        return requirement == Requirement.READINESS && readiness == ReadinessState.REFUSING_TRAFFIC
                ? "readiness is REFUSING_TRAFFIC"
                : null;
    }

    /**
     * How a lease's candidate fares with what it requires; empty for a lease of another kind.
     *
     * @param name the name of the lease in this application
     */
    public synchronized Optional<Status> of(String name) {
        if (!locks.containsKey(name)) {
            return Optional.empty();
        }
        Requirement requirement = requirementOf(name);
        return Optional.of(new Status(requirement, problem(requirement)));
    }

    /**
     * What a candidate requires.
     *
     * @param problem what isn't as it is required; {@code null} if all is
     */
    public record Status(Requirement requires, @Nullable String problem) {}
}
