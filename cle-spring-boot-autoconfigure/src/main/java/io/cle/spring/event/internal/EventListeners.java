package io.cle.spring.event.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.event.SmartApplicationListener;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.util.StringUtils;

/**
 * Finds the listeners of an event one by one, in the order in which a context would call them. A context itself calls them in one
 * loop, which the first exception ends: the listeners after it would never learn that leadership was granted or revoked.
 */
final class EventListeners {

    private final ApplicationEventPublisher publisher;

    EventListeners(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    /**
     * One listener.
     *
     * @param key is the same for all events
     * @param name for logs and the endpoint
     * @param call delivers an event to it
     */
    record Target(Object key, String name, Consumer<Object> call) {}

    /** The listeners of an event in this context and its parents. */
    List<Target> of(Object event) {
        List<Target> targets = new ArrayList<>();
        if (!(publisher instanceof ApplicationContext context)) {
            targets.add(new Target(publisher, publisher.toString(), publisher::publishEvent));
            return targets;
        }
        PayloadApplicationEvent<?> wrapped = new PayloadApplicationEvent<>(context, event);
        for (ApplicationContext owner = context; owner != null; owner = owner.getParent()) {
            if (!(owner instanceof AbstractApplicationContext known) || hasOwnMulticaster(known)) {
                // Its own multicaster may run listeners elsewhere or handle their errors; it also reaches the parents.
                targets.add(new Target(owner, owner.getDisplayName(), owner::publishEvent));
                return targets;
            }
            Multicaster multicaster = Multicaster.of(known);
            for (ApplicationListener<?> listener : multicaster.listenersOf(wrapped)) {
                targets.add(new Target(listener, nameOf(listener), unused -> multicaster.call(listener, wrapped)));
            }
        }
        return targets;
    }

    private static boolean hasOwnMulticaster(AbstractApplicationContext context) {
        return context.getBeanFactory()
                .containsBeanDefinition(AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME);
    }

    private static String nameOf(ApplicationListener<?> listener) {
        String id = "";
        if (listener instanceof GenericApplicationListener generic) {
            id = generic.getListenerId();
        } else if (listener instanceof SmartApplicationListener smart) {
            id = smart.getListenerId();
        }
        return StringUtils.hasText(id) ? id : AopUtils.getTargetClass(listener).getName();
    }

    /** A context's listeners, called one by one. */
    private static final class Multicaster extends SimpleApplicationEventMulticaster {

        static Multicaster of(AbstractApplicationContext context) {
            Multicaster multicaster = new Multicaster();
            multicaster.setBeanFactory(context.getBeanFactory());
            context.getApplicationListeners().forEach(multicaster::addApplicationListener);
            ConfigurableListableBeanFactory beans = context.getBeanFactory();
            for (String bean : beans.getBeanNamesForType(ApplicationListener.class, true, false)) {
                // A singleton that is lazy isn't among the context's listeners until it is made, by its first event.
                if (!beans.isSingleton(bean) || !beans.containsSingleton(bean)) {
                    multicaster.addApplicationListenerBean(bean);
                }
            }
            return multicaster;
        }

        Collection<ApplicationListener<?>> listenersOf(PayloadApplicationEvent<?> event) {
            return getApplicationListeners(event, event.getResolvableType());
        }

        void call(ApplicationListener<?> listener, ApplicationEvent event) {
            invokeListener(listener, event);
        }
    }
}
