package io.cle.spring.lock.internal;

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
 * Withdraws candidacies while the application's availability state is not the required one
 * ({@code cle.candidate.requires}). Follows the state that the application publishes, not its health, so the election's
 * own health contributor makes no candidate withdraw. A state that was never published is treated as good. Thread-safe.
 */
public final class CandidateAvailability implements LeaseLockCustomizer {

    private final ApplicationContext context;
    private final Leases leases;
    private @Nullable AvailabilityState readiness;
    private @Nullable AvailabilityState liveness;

    /**
     * Starts from the last published state.
     *
     * @param context the application's context
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

    private void update(ApplicationLease lease) {
        LeaseSettings settings = lease.settings();
        // Other kinds of locks are a migration's NestedLock or the application's own.
        if (settings != null && settings.properties().candidate().enabled() && lease.lock() instanceof LeaseLock lock) {
            lock.setProblem(problem(settings.properties().candidate().requires()));
        }
    }

    /** Returns why the application's state isn't the required one; {@code null} if it is. */
    synchronized @Nullable String problem(Requirement requirement) {
        if (requirement != Requirement.NONE && liveness == LivenessState.BROKEN) {
            return "liveness is BROKEN";
        }
        return requirement == Requirement.READINESS && readiness == ReadinessState.REFUSING_TRAFFIC
                ? "readiness is REFUSING_TRAFFIC"
                : null;
    }
}
