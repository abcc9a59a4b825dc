package io.cle.spring.onleader.internal;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Fails the start of a child context that has led work and isn't auto-configured: the parent's processor guards no
 * beans of its children, so the work would run on every replica.
 */
public final class ChildContextCheck implements ApplicationListener<ContextRefreshedEvent> {

    private final ConfigurableListableBeanFactory parent;

    /** Creates the check for the children of the context with this bean factory. They publish their events to it as well. */
    public ChildContextCheck(ConfigurableListableBeanFactory parent) {
        this.parent = parent;
    }

    @Override
    public void onApplicationEvent(ContextRefreshedEvent refreshed) {
        if (refreshed.getApplicationContext() instanceof ConfigurableApplicationContext context
                && context.getBeanFactory() != parent
                && context.getBeanFactory().getBeanNamesForType(OnLeaderPostProcessor.class, true, false).length == 0) {
            new OnLeaderBeans(context.getBeanFactory())
                    .findAll().stream().findFirst().ifPresent(bean -> {
                        throw OnLeaderRules.inChildContext(bean);
                    });
        }
    }
}
