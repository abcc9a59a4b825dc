package io.cle.spring.lock.internal;

import java.time.Duration;

import io.cle.OwnedLock;
import io.cle.Timings;
import io.cle.lock.internal.Entropy;
import io.cle.lock.internal.LeaseLock;
import io.cle.lock.internal.LockConfig;
import io.cle.lock.internal.LockStores;
import io.cle.lock.internal.LockThreads;
import io.cle.lock.internal.ProcessLeases;
import io.cle.model.ObjectKey;
import io.cle.spring.properties.Mode;
import io.cle.spring.properties.internal.LeaseSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the locks of a process that joins no cluster's election ({@code cle.mode=standalone}). Each lock leads at
 * once, on a lease within the process.
 *
 * @param threads shared by all its locks
 */
public record StandaloneLeaseLockFactory(LockThreads threads) implements LeaseLockFactory {

    private static final Logger log = LoggerFactory.getLogger(StandaloneLeaseLockFactory.class);

    /**
     * Creates the factory, and logs a warning unless the application has set {@code cle.mode=standalone}.
     *
     * @param mode the configured mode
     */
    public static StandaloneLeaseLockFactory of(Mode mode, LockThreads threads) {
        if (mode == Mode.AUTO) {
            log.warn(
                    "Not running in Kubernetes: this process leads on its own, as does every other one that is started like it. To"
                            + " join the election of the cluster that your kubeconfig names, set cle.mode=kubernetes; to lead on"
                            + " its own without this warning, set cle.mode=standalone");
        }
        return new StandaloneLeaseLockFactory(threads);
    }

    @Override
    public OwnedLock create(LeaseSettings settings) {
        return followingIfDisabled(
                settings,
                lock(settings.lease(), settings.identity(), settings.timings(), settings.drainTimeout(), threads));
    }

    /** Creates a lock on a lease within the process. The lock leads once it is started. */
    public static LeaseLock lock(
            ObjectKey lease, String identity, Timings timings, Duration drainTimeout, LockThreads threads) {
        LockConfig config = LockConfig.racing(lease, identity, timings, drainTimeout);
        LockStores.Source store = new LockStores(new ProcessLeases(threads.loop()), null).always();
        return new LeaseLock(config, store, Entropy.system(), threads);
    }

    /** Restricts a lock to following its lease if the candidate is disabled ({@code cle.candidate.enabled}). */
    public static LeaseLock followingIfDisabled(LeaseSettings settings, LeaseLock lock) {
        if (!settings.properties().candidate().enabled()) {
            lock.setProblem("cle.candidate.enabled is false");
        }
        return lock;
    }
}
