package io.cle.spring.autoconfigure;

import io.cle.CoordinatedLeaseLock;
import io.cle.lock.internal.LockThreads;
import io.cle.spring.lock.LeaseLockCustomizer;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.lock.internal.CandidateAvailability;
import io.cle.spring.lock.internal.ConfiguredLeases;
import io.cle.spring.lock.internal.ElectionLifecycle;
import io.cle.spring.lock.internal.ElectionLog;
import io.cle.spring.lock.internal.ExitWhenLost;
import io.cle.spring.lock.internal.FurtherLeaseLocksRegistrar;
import io.cle.spring.lock.internal.LeaseCreation;
import io.cle.spring.lock.internal.LeaseLockFactory;
import io.cle.spring.lock.internal.Leases;
import io.cle.spring.migration.internal.LeaderMigration;
import io.cle.spring.migration.internal.MigrationProperties;
import io.cle.spring.properties.internal.CleProperties;
import io.cle.spring.properties.internal.LeaseProperties;
import io.cle.spring.properties.internal.LeaseSettings;
import io.cle.spring.properties.internal.LockOrigin;
import io.cle.spring.properties.internal.ProcessFacts;
import io.cle.strategy.internal.Strategies;
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
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.StringUtils;

/**
 * Auto-configuration for leader election: the leases, the locks, and their lifecycle within the application context.
 * With {@code cle.enabled=false}, the locks are those of a process without a cluster, and are never started. A child
 * context uses the leases of its parent.
 */
@AutoConfiguration(after = ProjectInfoAutoConfiguration.class)
@EnableConfigurationProperties({CleProperties.class, LeaseProperties.class, MigrationProperties.class})
@ConditionalOnMissingBean(ElectionLifecycle.class)
@Import(FurtherLeaseLocksRegistrar.class)
public final class CleAutoConfiguration {

    /** Used by an application with a lock or a lock factory of its own: its beans can't name a cluster. */
    @Bean
    @ConditionalOnMissingBean
    LockOrigin cleLockOrigin(
            CleProperties properties, Environment environment, ConfigurableListableBeanFactory factory) {
        return LockOrigin.of(properties, environment, factory, () -> false);
    }

    @Bean
    ProcessFacts cleProcessFacts(Environment environment, BeanFactory factory, LockOrigin origin) {
        return ProcessFacts.of(environment, factory, origin);
    }

    /** Always present, because a migration that is configured but not enabled is a mistake to report. */
    @Bean
    LeaderMigration cleLeaderMigration(
            MigrationProperties properties, ResourceLoader resources, Environment environment) {
        return LeaderMigration.of(
                properties,
                ApplicationResourceLoader.get(resources, true),
                environment.getProperty("spring.application.name"));
    }

    @Bean
    ConfiguredLeases cleConfiguredLeases(
            ApplicationContext context, CleProperties properties, LeaderMigration migration, ProcessFacts facts) {
        ClassLoader loader = context.getClassLoader();
        return new ConfiguredLeases(
                context.getEnvironment(),
                properties,
                migration,
                facts,
                loader == null ? Strategies.builtIn() : Strategies.onPathOf(loader));
    }

    @Bean
    LockThreads cleLockThreads() {
        return LockThreads.create("cle");
    }

    /** Lazy, because creating it makes this process join its lease. */
    @Bean(destroyMethod = "")
    @Lazy
    @Primary
    @ConditionalOnMissingBean
    CoordinatedLeaseLock coordinatedLeaseLock(
            ConfiguredLeases configured, ObjectProvider<LeaseLockFactory> factory, ElectionLifecycle lifecycle) {
        LeaseSettings settings = configured.main();
        return lifecycle.created(factory.getObject().create(settings));
    }

    @Bean
    @ConditionalOnMissingBean
    LeaseLocks cleLeaseLocks(
            ConfigurableApplicationContext context,
            ConfiguredLeases configured,
            LeaderMigration migration,
            LockOrigin origin,
            LockThreads threads) {
        return new Leases(new LeaseCreation(context, configured, migration, origin, threads)).locks();
    }

    @Bean
    Leases cleLeases(LeaseLocks locks) {
        return Leases.of(locks);
    }

    @Bean
    ElectionLifecycle cleElectionLifecycle(
            ApplicationContext context,
            ObjectProvider<Leases> leases,
            ConfiguredLeases configured,
            ObjectProvider<LeaseLockCustomizer> customizers,
            LockThreads threads) {
        return new ElectionLifecycle(
                context,
                leases::getObject,
                () -> customizers.orderedStream().toList(),
                configured::longestStop,
                threads.loop());
    }

    @Bean
    @Lazy
    ElectionLog cleElectionLog(
            Leases leases,
            ProcessFacts facts,
            Environment environment,
            ObjectProvider<LeaseLockFactory> factory,
            LockThreads threads) {
        boolean inPod = StringUtils.hasText(environment.getProperty("KUBERNETES_SERVICE_HOST"));
        return new ElectionLog(leases, facts, inPod, factory.getIfAvailable(), threads.lines());
    }

    @Bean
    CandidateAvailability cleCandidateAvailability(
            ApplicationContext context, Leases leases, ObjectProvider<ApplicationAvailability> availability) {
        return new CandidateAvailability(context, leases, availability.getIfUnique());
    }

    @Bean
    ExitWhenLost cleExitWhenLost(Leases leases) {
        return ExitWhenLost.ofProcess(leases);
    }
}
