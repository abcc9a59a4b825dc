package io.cle.spring.lock.internal;

import java.util.Collection;
import java.util.Set;
import java.util.stream.Stream;

import io.cle.CoordinatedLeaseLock;
import io.cle.lock.internal.LockThreads;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.migration.internal.LeaderMigration;
import io.cle.spring.properties.internal.LockOrigin;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Creates the leases of an application with their locks, and determines whether the application uses the default one.
 *
 * @param context has the default lease's lock, which an application or its test may have replaced; the factory of the
 *     other locks; and the parts that may use the default lease
 */
public record LeaseCreation(
        ConfigurableApplicationContext context,
        ConfiguredLeases configured,
        LeaderMigration migration,
        LockOrigin origin,
        LockThreads threads) {

    /** The packages of the customizers that come with the starter. */
    private static final String OURS = "io.cle.spring.";

    /** Returns the name of the default lease. */
    String mainName() {
        return configured.main().name();
    }

    /**
     * Returns whether something in the application uses the default lease. Customizers and event listeners do, because
     * they are called for every lease. Led work isn't checked here, because it joins its leases itself.
     */
    boolean mainIsUsed() {
        return configured.mainIsNamed()
                || migration.lease().isPresent()
                || lockIsCreated()
                || isCustomized()
                || context.getBeanProvider(Leases.User.class).stream().anyMatch(Leases.User::usesMain);
    }

    /** Returns whether the lock of the default lease has been created. The application's own lock is created with the context. */
    private boolean lockIsCreated() {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        Set<String> further = configured.furtherLocks();
        return Stream.of(beans.getBeanNamesForType(CoordinatedLeaseLock.class, true, false))
                .anyMatch(name -> !further.contains(name) && beans.containsSingleton(name));
    }

    /** Returns whether the application has a customizer. Before it is created, its type may be known only as the interface. */
    private boolean isCustomized() {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        return Stream.of(beans.getBeanNamesForType(LeaseLockCustomizer.class, true, false))
                .map(name -> beans.getType(name, false))
                .anyMatch(type -> type == LeaseLockCustomizer.class
                        || (type != null && !type.getName().startsWith(OURS)));
    }

    private CoordinatedLeaseLock lockOfDefault() {
        return context.getBean(CoordinatedLeaseLock.class);
    }

    /** Creates the default lease with its lock. */
    ApplicationLease main() {
        return main(MockedLock.withAnswers(lockOfDefault(), () -> MockedLock.neverStarted(configured.main(), threads)));
    }

    /** Returns the default lease with a lock that has just been created for it. */
    ApplicationLease main(CoordinatedLeaseLock lock) {
        // Found by the lock's name: an application's own lock has another one, a test's mock the same.
        return new ApplicationLease(
                lock.name(), lock, configured.find(lock.name()).orElse(null));
    }

    /** Creates the other leases. */
    Collection<ApplicationLease> further() {
        return configured.further().stream()
                .map(settings -> new ApplicationLease(
                        settings.name(),
                        origin == LockOrigin.TEST
                                ? MockedLock.neverStarted(settings, threads)
                                : migration.place(
                                        settings.name(),
                                        context.getBean(LeaseLockFactory.class).create(settings),
                                        this::lockOfDefault),
                        settings))
                .toList();
    }
}
