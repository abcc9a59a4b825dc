package io.cle.spring.lock.internal;

import java.util.function.IntConsumer;
import java.util.function.Predicate;

import io.cle.CoordinatedLeaseLock;
import io.cle.LeadershipListener;
import io.cle.RevokeReason;
import io.cle.Term;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.properties.OnLost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ApplicationContext;

/**
 * Ends the process when a term ends that the process didn't end by stopping ({@code cle.on-lost: exit}), for the leases that ask
 * for it and for no others.
 *
 * @param leases says of the name of each whether it is one of them
 * @param exit closes the context and ends the process; called on a thread of its own, as the terms' drain needs the others
 */
public record ExitWhenLost(Predicate<String> leases, IntConsumer exit) implements LeaseLockCustomizer {

    /** What the process exits with; as client-go's components do when they lose. */
    public static final int EXIT_CODE = 1;

    private static final Logger log = LoggerFactory.getLogger(ExitWhenLost.class);

    /** Exits from the process of an application, by its context's close, for the leases whose properties ask for it. */
    public static ExitWhenLost of(Leases leases, ApplicationContext context) {
        return new ExitWhenLost(
                name -> leases.find(name)
                        .filter(lease -> lease.properties().onLost() == OnLost.EXIT)
                        .isPresent(),
                code -> System.exit(SpringApplication.exit(context, () -> code)));
    }

    @Override
    public void customize(String name, CoordinatedLeaseLock lock) {
        if (!leases.test(name)) {
            return;
        }
        lock.addListener(new LeadershipListener() {
            @Override
            public void onRevoked(Term term, RevokeReason reason) {
                if (reason != RevokeReason.STOPPED) {
                    log.warn("lease {}: leadership is lost ({}), and cle.on-lost says to exit", name, reason);
                    new Thread(() -> exit.accept(EXIT_CODE), "cle-exit").start();
                }
            }
        });
    }
}
