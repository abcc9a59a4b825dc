package io.cle.spring.boot;

import io.cle.spring.lock.ElectionSettings;
import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.onleader.ControllerAssignments;
import io.cle.spring.onleader.LeaderWork;
import io.cle.spring.onleader.OnLeaderBeans;
import io.cle.spring.onleader.OnLeaderPostProcessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/**
 * Auto-configuration for {@link io.cle.spring.onleader.OnLeader}. Also there with {@code cle.enabled=false}: without anybody who
 * leads, leaders' work must not be done by everybody.
 */
@AutoConfiguration(after = CleAutoConfiguration.class)
public final class CleOnLeaderAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    static OnLeaderPostProcessor onLeaderPostProcessor(ObjectProvider<LeaderWork> work) {
        return new OnLeaderPostProcessor(work::getObject);
    }

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean
    LeaderWork leaderWork(
            ObjectProvider<LeaseLocks> locks,
            ObjectProvider<ElectionSettings> settings,
            ObjectProvider<ControllerAssignments> assignments,
            ApplicationEventPublisher events,
            ConfigurableListableBeanFactory beanFactory) {
        return new LeaderWork(locks, settings, assignments, events, new OnLeaderBeans(beanFactory));
    }
}
