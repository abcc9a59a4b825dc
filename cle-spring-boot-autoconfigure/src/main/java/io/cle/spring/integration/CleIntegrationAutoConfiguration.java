package io.cle.spring.integration;

import io.cle.spring.lock.CleAutoConfiguration;
import io.cle.spring.lock.internal.ConditionalOnCleEnabled;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.leader.event.LeaderEventPublisher;
import org.springframework.integration.support.SmartLifecycleRoleController;

/** Auto-configuration for Spring Integration's events of leadership, by which roles of endpoints are started and stopped. */
@AutoConfiguration(after = CleAutoConfiguration.class)
@ConditionalOnClass(LeaderEventPublisher.class)
@ConditionalOnCleEnabled
public final class CleIntegrationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    IntegrationLeaderEvents cleIntegrationLeaderEvents(
            ConfigurableApplicationContext context, ObjectProvider<SmartLifecycleRoleController> roles) {
        return new IntegrationLeaderEvents(new DefaultLeaderEventPublisher(context), context, roles);
    }
}
