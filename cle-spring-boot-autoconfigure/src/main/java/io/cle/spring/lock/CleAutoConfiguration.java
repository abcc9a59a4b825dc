package io.cle.spring.lock;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

import io.cle.CoordinatedLeaseLock;
import io.cle.runtime.internal.lock.LockThreads;
import io.cle.spring.lock.internal.CandidateAvailability;
import io.cle.spring.lock.internal.ElectionLifecycle;
import io.cle.spring.lock.internal.ElectionLog;
import io.cle.spring.lock.internal.ElectionSettings;
import io.cle.spring.lock.internal.ExitWhenLost;
import io.cle.spring.lock.internal.FurtherLeaseLocksRegistrar;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.MockedLock;
import io.cle.spring.lock.internal.StandaloneLeaseLockFactory;
import io.cle.spring.lock.internal.StartupWatch;
import io.cle.spring.migration.internal.LeaderMigration;
import io.cle.spring.migration.internal.MigrationConfiguration;
import io.cle.spring.properties.OnLost;
import io.cle.spring.properties.internal.CheckedProperties;
import io.cle.spring.properties.internal.CleProperties;
import io.cle.spring.properties.internal.LeaseBinder;
import io.cle.spring.properties.internal.LeaseProperties;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.LockOrigin;
import io.cle.spring.properties.internal.ProcessFacts;
import io.cle.spring.properties.internal.ProcessFactsConfiguration;
import io.cle.spring.properties.internal.UnknownProperties;
import io.cle.strategy.internal.Strategies;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.info.ProjectInfoAutoConfiguration;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/** Auto-configuration for leader election: the settings, the locks, and their life with the application context. */
@AutoConfiguration(after = ProjectInfoAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "cle.enabled", matchIfMissing = true)
@EnableConfigurationProperties({CleProperties.class, LeaseProperties.class})
@Import({FurtherLeaseLocksRegistrar.class, MigrationConfiguration.class, ProcessFactsConfiguration.class})
public final class CleAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    CheckedProperties cleCheckedProperties(
            CleProperties properties, LeaderMigration migration, ProcessFacts facts, ApplicationContext context) {
        ClassLoader loader = context.getClassLoader();
        Strategies strategies = loader == null ? Strategies.builtIn() : Strategies.onPathOf(loader);
        LeaseBinder leases = new LeaseBinder(context.getEnvironment());
        UnknownProperties.report(context.getEnvironment(), UnknownProperties.knownIn(context));
        Map<String, Map<String, String>> further = migration.furtherLease(leases.names());
        return migration.named(() -> new CheckedProperties(properties, leases, further, facts, strategies));
    }

    @Bean
    @ConditionalOnMissingBean
    ElectionSettings cleElectionSettings(CheckedProperties properties, LeaderMigration migration) {
        return new ElectionSettings(migration.named(properties::leases));
    }

    @Bean
    @ConditionalOnMissingBean
    LockThreads cleLockThreads() {
        return LockThreads.create("cle");
    }

    @Bean(destroyMethod = "")
    @Primary
    @ConditionalOnMissingBean
    CoordinatedLeaseLock coordinatedLeaseLock(ElectionSettings settings, LeaseLockFactory factory) {
        return factory.create(settings.main());
    }

    @Bean
    @ConditionalOnMissingBean
    LeaseLocks cleLeaseLocks(
            CoordinatedLeaseLock main,
            ElectionSettings settings,
            LeaderMigration migration,
            LockOrigin origin,
            LockThreads threads,
            ObjectProvider<LeaseLockFactory> factory) {
        Map<String, CoordinatedLeaseLock> further = new LinkedHashMap<>();
        for (LeaseSettings lease : settings.further()) {
            further.put(
                    lease.name(),
                    origin == LockOrigin.TEST
                            ? MockedLock.neverStarted(lease, threads)
                            : migration.place(lease.name(), factory.getObject().create(lease), main));
        }
        return new LeaseLocks(
                MockedLock.withAnswers(main, () -> MockedLock.neverStarted(settings.main(), threads)), further);
    }

    @Bean
    @ConditionalOnMissingBean
    StartupWatch cleStartupWatch(LockThreads threads) {
        return new StartupWatch(threads.loop());
    }

    @Bean
    @ConditionalOnMissingBean
    ElectionLifecycle cleElectionLifecycle(
            ApplicationContext context,
            LeaseLocks locks,
            ElectionSettings settings,
            ObjectProvider<LeaseLockCustomizer> customizers,
            StartupWatch startup) {
        return new ElectionLifecycle(
                context, locks, customizers.orderedStream().toList(), settings::longestStop, startup);
    }

    @Bean
    @ConditionalOnMissingBean
    RuntimeLeases cleRuntimeLeases(
            CheckedProperties properties,
            ObjectProvider<LeaseLockFactory> factory,
            ElectionSettings settings,
            LeaseLocks locks,
            ElectionLifecycle lifecycle) {
        return new ElectedRuntimeLeases(properties, factory::getObject, settings, locks, lifecycle);
    }

    @Bean
    @ConditionalOnMissingBean
    ElectionLog cleElectionLog(
            ElectionSettings settings,
            ProcessFacts facts,
            ObjectProvider<LeaseLockFactory> factory,
            LockThreads threads) {
        boolean standalone = factory.getIfAvailable() instanceof StandaloneLeaseLockFactory;
        return new ElectionLog(settings, facts.version(), standalone, threads.lines());
    }

    @Bean
    @ConditionalOnMissingBean
    CandidateAvailability cleCandidateAvailability(
            ElectionSettings settings, ObjectProvider<ApplicationAvailability> availability) {
        return new CandidateAvailability(settings, availability.getIfUnique());
    }

    @Bean
    @ConditionalOnMissingBean
    ExitWhenLost cleExitWhenLost(ElectionSettings settings, ApplicationContext context) {
        Predicate<String> exits = name -> settings.find(name)
                .filter(lease -> lease.onLost() == OnLost.EXIT)
                .isPresent();
        return new ExitWhenLost(exits, code -> System.exit(SpringApplication.exit(context, () -> code)));
    }
}
