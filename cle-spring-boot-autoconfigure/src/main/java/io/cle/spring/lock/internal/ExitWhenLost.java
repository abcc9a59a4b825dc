package io.cle.spring.lock.internal;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.IntConsumer;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.properties.OnLost;
import io.cle.spring.properties.internal.LeaseSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationContext;

/**
 * Ends the process when a term ends for another reason than the stop of the process, for the leases that ask for it
 * ({@code cle.on-lost: exit}).
 *
 * @param exit closes the context and ends the process; called on a thread of its own, because the drain of the terms needs the others
 */
public record ExitWhenLost(Leases leases, IntConsumer exit) implements LeaseLockCustomizer {

    /** What the process exits with; as client-go's components do when they lose. */
    public static final int EXIT_CODE = 1;

    private static final Logger log = LoggerFactory.getLogger(ExitWhenLost.class);

    /** Returns a customizer that exits by closing the context of the application. */
    public static ExitWhenLost from(Leases leases, ApplicationContext context) {
        return new ExitWhenLost(leases, code -> System.exit(SpringApplication.exit(context, () -> code)));
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        LeaseSettings settings = leases.get(name).settings();
        if (settings == null || settings.properties().onLost() != OnLost.EXIT) {
            return;
        }
        // A shard that a coordinator moves to another replica, or that the application gives away, isn't lost.
        Set<RevokeReason> harmless = settings.shard().isPresent()
                ? EnumSet.of(RevokeReason.STOPPED, RevokeReason.END_OF_TERM, RevokeReason.RESIGNED)
                : EnumSet.of(RevokeReason.STOPPED);
        lock.addListener(new LeadershipListener() {
            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                if (!harmless.contains(reason)) {
                    log.warn("lease {}: leadership is lost ({}), and cle.on-lost says to exit", name, reason);
                    new Thread(() -> exit.accept(EXIT_CODE), "cle-exit").start();
                }
            }
        });
    }
}
