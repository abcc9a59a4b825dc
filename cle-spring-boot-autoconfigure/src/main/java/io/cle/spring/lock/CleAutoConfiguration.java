package io.cle.spring.lock;

import io.cle.CoordinatedLeaseLock;
import io.cle.lock.internal.LockThreads;
import io.cle.spring.lock.internal.CandidateAvailability;
import io.cle.spring.lock.internal.ConditionalOnCleEnabled;
import io.cle.spring.lock.internal.ElectionLifecycle;
import io.cle.spring.lock.internal.ElectionLog;
import io.cle.spring.lock.internal.ExitWhenLost;
import io.cle.spring.lock.internal.FurtherLeaseLocksRegistrar;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.lock.internal.StartupWatch;
import io.cle.spring.migration.internal.LeaderMigration;
import io.cle.spring.migration.internal.MigrationProperties;
import io.cle.spring.properties.internal.CleProperties;
import io.cle.spring.properties.internal.LeaseProperties;
import io.cle.spring.properties.internal.LockOrigin;
import io.cle.spring.properties.internal.ProcessFacts;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.info.ProjectInfoAutoConfiguration;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.io.ApplicationResourceLoader;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;

/** Auto-configuration for leader election: the leases, the locks, and their life with the application context. */
@AutoConfiguration(after = ProjectInfoAutoConfiguration.class)
@ConditionalOnCleEnabled
@EnableConfigurationProperties({CleProperties.class, LeaseProperties.class, MigrationProperties.class})
@Import(FurtherLeaseLocksRegistrar.class)
public final class CleAutoConfiguration {

    /** For an application with a lock or a lock factory of its own, whose beans need not be asked about a cluster. */
    @Bean
    @ConditionalOnMissingBean
    LockOrigin cleLockOrigin(
            CleProperties properties, Environment environment, ConfigurableListableBeanFactory factory) {
        return LockOrigin.of(properties, environment, factory, () -> false);
    }

    @Bean
    @ConditionalOnMissingBean
    ProcessFacts cleProcessFacts(Environment environment, BeanFactory factory, LockOrigin origin) {
        return ProcessFacts.of(environment, factory, origin);
    }

    /** There whether it is enabled or not, because a migration that is configured and not enabled is a mistake. */
    @Bean
    @Fallback
    @ConditionalOnMissingBean
    LeaderMigration cleLeaderMigration(
            MigrationProperties properties, ResourceLoader resources, Environment environment) {
        return LeaderMigration.of(
                properties,
                ApplicationResourceLoader.get(resources, true),
                environment.getProperty("spring.application.name"));
    }

    @Bean
    @ConditionalOnMissingBean
    Leases cleLeases(
            ApplicationContext context, CleProperties properties, LeaderMigration migration, ProcessFacts facts) {
        return Leases.of(context, properties, migration, facts);
    }

    @Bean
    @ConditionalOnMissingBean
    LockThreads cleLockThreads() {
        return LockThreads.create("cle");
    }

    @Bean(destroyMethod = "")
    @Primary
    @ConditionalOnMissingBean
    CoordinatedLeaseLock coordinatedLeaseLock(Leases leases, LeaseLockFactory factory) {
        return factory.create(leases.main());
    }

    @Bean
    @ConditionalOnMissingBean
    LeaseLocks cleLeaseLocks(
            CoordinatedLeaseLock main,
            Leases leases,
            LeaderMigration migration,
            LockOrigin origin,
            LockThreads threads,
            ObjectProvider<LeaseLockFactory> factory) {
        return LeaseLocks.of(main, leases, migration, origin, threads, factory);
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
            Leases leases,
            ObjectProvider<LeaseLockCustomizer> customizers,
            StartupWatch startup) {
        return new ElectionLifecycle(
                context, locks, customizers.orderedStream().toList(), leases::longestStop, startup);
    }

    @Bean
    @ConditionalOnMissingBean
    RuntimeLeases cleRuntimeLeases(
            Leases leases, ObjectProvider<LeaseLockFactory> factory, LeaseLocks locks, ElectionLifecycle lifecycle) {
        return new ElectedRuntimeLeases(leases, factory, locks, lifecycle);
    }

    @Bean
    @ConditionalOnMissingBean
    ElectionLog cleElectionLog(
            Leases leases, ProcessFacts facts, ObjectProvider<LeaseLockFactory> factory, LockThreads threads) {
        return new ElectionLog(leases, facts.version(), factory.getIfAvailable(), threads.lines());
    }

    @Bean
    @ConditionalOnMissingBean
    CandidateAvailability cleCandidateAvailability(
            Leases leases, ObjectProvider<ApplicationAvailability> availability) {
        return new CandidateAvailability(leases, availability.getIfUnique());
    }

    @Bean
    @ConditionalOnMissingBean
    ExitWhenLost cleExitWhenLost(Leases leases, ApplicationContext context) {
        return ExitWhenLost.of(leases, context);
    }
}
