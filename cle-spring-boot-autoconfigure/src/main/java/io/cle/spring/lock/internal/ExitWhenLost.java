package io.cle.spring.lock.internal;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
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
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationContext;

/**
 * Ends the process when a term ends for another reason than the stop of the process, for the leases that ask for it
 * ({@code cle.on-lost: exit}). The exit code is never 0.
 *
 * @param leases the leases with their settings
 * @param exit closes the context and ends the process; called once, and returns at once
 * @param halt ends the process after a while if it still runs; called for each lost term, and returns at once
 * @param exiting whether the exit was called
 */
public record ExitWhenLost(Leases leases, Runnable exit, Consumer<Duration> halt, AtomicBoolean exiting)
        implements LeaseLockCustomizer {

    /** What the process exits with; as client-go's components do when they lose. */
    static final int EXIT_CODE = 1;

    private static final Logger log = LoggerFactory.getLogger(ExitWhenLost.class);

    /** Returns a customizer that exits by closing the context of the application. */
    public static ExitWhenLost from(Leases leases, ApplicationContext context) {
        return new ExitWhenLost(leases, () -> exit(context), ExitWhenLost::haltAfter, new AtomicBoolean());
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        Lease lease = leases.get(name);
        LeaseSettings settings = lease.settings();
        if (settings == null || settings.properties().onLost() != OnLost.EXIT) {
            return;
        }
        // A shard that a coordinator moves to another replica, or that the application gives away, isn't lost.
        Set<RevokeReason> harmless = settings.shard().isPresent()
                ? EnumSet.of(RevokeReason.STOPPED, RevokeReason.END_OF_TERM, RevokeReason.RESIGNED)
                : EnumSet.of(RevokeReason.STOPPED);
        // An interrupter: a listener that blocks must not keep the process from ending.
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

    private void lost(Lease lease, LeaseSettings settings, RevokeReason reason) {
        // Others may lead when the lease expires, or else when it is released: after the drain timeout at the latest.
        Duration untilOthersLead = switch (reason) {
            case LEASE_LOST, RENEW_DEADLINE, SUSPENDED ->
                settings.timings().leaseDuration().minus(settings.timings().renewDeadline());
            case END_OF_TERM, RESIGNED, STOPPED -> lease.drainTimeout();
        };
        // The rest is for the halt itself.
        Duration bound = untilOthersLead.multipliedBy(9).dividedBy(10);
        halt.accept(bound);
        log.warn(
                "Lease {}: leadership is lost ({}), so this process ends (cle.on-lost=exit); if it still runs in {}, it is halted",
                lease.name(),
                reason,
                Setting.text(bound));
        if (exiting.compareAndSet(false, true)) {
            exit.run();
        }
    }

    private static void haltAfter(Duration delay) {
        ThreadEventLoop.daemon(
                        () -> {
                            try {
                                Thread.sleep(delay.toMillis());
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                            Runtime.getRuntime().halt(EXIT_CODE);
                        },
                        "cle-halt")
                .start();
    }

    private static void exit(ApplicationContext context) {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        Thread exit = new Thread(
                () -> {
                    try {
                        SpringApplication.exit(context, () -> EXIT_CODE);
                    } finally {
                        closed.complete(null);
                        System.exit(EXIT_CODE);
                    }
                },
                "cle-exit");
        // The thread of a listener is a daemon. As a daemon, this one would race the end of the JVM, with code 0, once
        // the close has ended the threads that keep it running.
        exit.setDaemon(false);
        // The application may exit by itself meanwhile, with code 0, such as when its context is no longer active.
        Thread otherExit = new Thread(
                () -> {
                    if (!closed.isDone()) {
                        closed.join();
                        Runtime.getRuntime().halt(EXIT_CODE);
                    }
                },
                "cle-other-exit");
        try {
            Runtime.getRuntime().addShutdownHook(otherExit);
        } catch (IllegalStateException exitsAlready) {
            otherExit.start();
        }
        exit.start();
    }
}
