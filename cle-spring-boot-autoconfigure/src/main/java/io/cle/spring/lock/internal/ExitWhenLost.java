package io.cle.spring.lock.internal;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

import io.cle.CoordinatedLeaseLock;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.lock.internal.WorkInterrupter;
import io.cle.loop.internal.ThreadEventLoop;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.properties.OnLost;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.Setting;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process when a term of a lease with {@code cle.on-lost: exit} ends for any reason other than the stop of the
 * process or, of a shard, a move or a resignation. The exit code is never 0.
 *
 * @param leases the leases with their settings
 * @param exit ends the process within the given time; called for each lost term; returns immediately
 */
public record ExitWhenLost(Leases leases, Consumer<Duration> exit) implements LeaseLockCustomizer {

    /** The exit code, the same as that of client-go's components when they lose leadership. */
    private static final int EXIT_CODE = 1;

    private static final Logger log = LoggerFactory.getLogger(ExitWhenLost.class);

    /** Returns a customizer that ends the JVM, whose shutdown hook closes the application context. */
    public static ExitWhenLost ofProcess(Leases leases) {
        return new ExitWhenLost(leases, ExitWhenLost::exitWithin);
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        ApplicationLease lease = leases.get(name);
        LeaseSettings settings = lease.settings();
        if (settings == null || settings.properties().onLost() != OnLost.EXIT) {
            return;
        }
        // A shard that a coordinator moves to another replica, or that the application resigns, isn't lost.
        Set<RevokeReason> harmless = settings.shard().isPresent()
                ? EnumSet.of(RevokeReason.STOPPED, RevokeReason.END_OF_TERM, RevokeReason.RESIGNED)
                : EnumSet.of(RevokeReason.STOPPED);
        // A WorkInterrupter, because a blocked listener must not keep the process from ending.
        lock.addListener(new WorkInterrupter() {
            private long last = Long.MIN_VALUE;

            @Override
            public synchronized void termEnded(Term term, RevokeReason reason) {
                if (!harmless.contains(reason) && term.fencingToken() != last) {
                    last = term.fencingToken();
                    lost(lease, settings, reason);
                }
            }

            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                termEnded(term, reason);
            }
        });
    }

    private void lost(ApplicationLease lease, LeaseSettings settings, RevokeReason reason) {
        // Others may lead when the lease expires, or else when it is released: after the drain timeout at the latest.
        Duration untilOthersLead = switch (reason) {
            case LEASE_LOST, RENEW_DEADLINE, SUSPENDED ->
                settings.timings().leaseDuration().minus(settings.timings().renewDeadline());
            case END_OF_TERM, RESIGNED, STOPPED -> lease.drainTimeout();
        };
        // The remaining tenth is for the halt itself.
        Duration bound = untilOthersLead.multipliedBy(9).dividedBy(10);
        log.warn(
                "Lease {}: leadership is lost ({}), so this process ends (cle.on-lost=exit); if it still runs in {}, it is halted",
                lease.name(),
                reason,
                Setting.text(bound));
        exit.accept(bound);
    }

    private static void exitWithin(Duration bound) {
        ThreadEventLoop.daemon(
                        () -> {
                            try {
                                Thread.sleep(bound.toMillis());
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            Runtime.getRuntime().halt(EXIT_CODE);
                        },
                        "cle-halt")
                .start();
        // On its own thread, because the shutdown hooks wait for the lock's listeners. The first exit sets the code.
        ThreadEventLoop.daemon(() -> System.exit(EXIT_CODE), "cle-exit").start();
    }
}
