package io.cle.spring.autoconfigure;

import io.cle.spring.lock.internal.Leases;
import io.cle.spring.migration.internal.LeaderMigration;
import io.cle.spring.onleader.OnLeader;
import io.cle.spring.onleader.internal.ChildContextCheck;
import io.cle.spring.onleader.internal.LeaderWork;
import io.cle.spring.onleader.internal.OnLeaderPostProcessor;
import io.cle.spring.onleader.internal.OnLeaderProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration for {@link OnLeader}. Also applies with {@code cle.enabled=false}: if no process leads, led work must not run on any
 * of them.
 */
@AutoConfiguration(after = CleAutoConfiguration.class)
@EnableConfigurationProperties(OnLeaderProperties.class)
public final class CleOnLeaderAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    static OnLeaderPostProcessor cleOnLeaderPostProcessor(
            ConfigurableListableBeanFactory factory, ObjectProvider<LeaderWork> work) {
        return new OnLeaderPostProcessor(factory, work::getObject);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static ChildContextCheck cleChildContextCheck(ConfigurableListableBeanFactory factory) {
        return new ChildContextCheck(factory);
    }

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    LeaderWork cleLeaderWork(
            Environment environment,
            OnLeaderPostProcessor processor,
            OnLeaderProperties properties,
            ObjectProvider<SimpleAsyncTaskExecutorBuilder> threads,
            ObjectProvider<Leases> leases,
            ObjectProvider<LeaderMigration> migration) {
        return new LeaderWork(environment, processor, properties, threads, leases, migration);
    }
}
