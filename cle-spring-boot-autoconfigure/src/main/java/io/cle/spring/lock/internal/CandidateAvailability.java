package io.cle.spring.lock.internal;

import java.util.Locale;
import java.util.Optional;

import io.cle.CoordinatedLeaseLock;
import io.cle.lock.internal.LeaseLock;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.properties.Requirement;
import io.cle.spring.properties.internal.LeaseSettings;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.AvailabilityState;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationContext;
import org.springframework.context.event.EventListener;

/**
 * Withdraws candidacies while the application's availability state is not the required one ({@code cle.candidate.requires}). Follows the
 * state that the application publishes, not its health: the health contributor of the election makes no candidate withdraw. A state that
 * was never published is treated as good. Thread-safe.
 */
public final class CandidateAvailability implements LeaseLockCustomizer {

    private final ApplicationContext context;
    private final Leases leases;
    private @Nullable AvailabilityState readiness;
    private @Nullable AvailabilityState liveness;

    /**
     * Starts from the last state that was published.
     *
     * @param context the application's own
     * @param availability {@code null} if the application has none
     */
    public CandidateAvailability(
            ApplicationContext context, Leases leases, @Nullable ApplicationAvailability availability) {
        this.context = context;
        this.leases = leases;
        if (availability != null) {
            readiness = published(availability, ReadinessState.class);
            liveness = published(availability, LivenessState.class);
        }
    }

    private <S extends AvailabilityState> @Nullable AvailabilityState published(
            ApplicationAvailability availability, Class<S> type) {
        AvailabilityChangeEvent<S> last = availability.getLastChangeEvent(type);
        return last == null || ElectionLifecycle.isForeign(last.getSource(), context) ? null : last.getState();
    }

    @Override
    public synchronized void customize(String name, CoordinatedLeaseLock lock) {
        update(leases.get(name));
    }

    @EventListener
    synchronized void onChange(AvailabilityChangeEvent<?> event) {
        if (ElectionLifecycle.isForeign(event.getSource(), context)) {
            return;
        }
        if (event.getState() instanceof ReadinessState state) {
            readiness = state;
        } else if (event.getState() instanceof LivenessState state) {
            liveness = state;
        } else {
            return;
        }
        leases.all().forEach(this::update);
    }

    private void update(Lease lease) {
        of(lease).ifPresent(status -> ((LeaseLock) lease.lock()).setProblem(status.problem()));
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
     * Returns what the candidate of a lease requires, and whether the application's state meets it.
     *
     * @return empty if this process isn't a candidate for the lease, or its lock is of another kind, such as a migration's nested one or the
     *     application's own
     */
    public synchronized Optional<Status> of(Lease lease) {
        LeaseSettings settings = lease.settings();
        if (settings == null || !settings.properties().candidate().enabled() || !(lease.lock() instanceof LeaseLock)) {
            return Optional.empty();
        }
        Requirement requirement = settings.properties().candidate().requires();
        String problem = problem(requirement);
        return Optional.of(new Status(requirement.name().toLowerCase(Locale.ROOT), problem == null, problem));
    }

    /**
     * The availability state that a candidate requires ({@code cle.candidate.requires}), as the endpoint shows it.
     *
     * @param requires {@code readiness}, {@code liveness} or {@code none}
     * @param met whether the application is in this state
     * @param problem why it isn't
     */
    public record Status(
            String requires, boolean met, @Nullable String problem) {}
}
