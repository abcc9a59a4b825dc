package io.cle.spring.onleader.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.cle.spring.lock.LeaseLocks;
import io.cle.spring.onleader.OnLeader;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.context.Lifecycle;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/** Finds the beans with {@link OnLeader}, without creating any. */
final class OnLeaderBeans {

    private final ConfigurableListableBeanFactory factory;
    private final StringValueResolver values;

    /** Searches a bean factory, whose placeholders and expressions annotations may use. */
    OnLeaderBeans(ConfigurableListableBeanFactory factory) {
        this.factory = factory;
        this.values = new EmbeddedValueResolver(factory);
    }

    ConfigurableListableBeanFactory factory() {
        return factory;
    }

    /** Returns whether the locks belong to a parent of this context, which starts and stops them. */
    boolean locksAreInherited() {
        return factory.getParentBeanFactory() != null
                && factory.getBeanNamesForType(LeaseLocks.class, true, false).length == 0;
    }

    /** Finds all beans. */
    List<OnLeaderBean> findAll() {
        List<OnLeaderBean> found = new ArrayList<>();
        for (String name : factory.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = hasScopedTarget(name) ? null : typeOf(name);
            if (type != null) {
                of(name, type).ifPresent(found::add);
            }
        }
        return found;
    }

    /** Returns whether a bean is the proxy of a scope. Its target has the annotations, and is the one that is guarded. */
    boolean hasScopedTarget(String name) {
        return factory.containsBeanDefinition(ScopedProxyUtils.getTargetBeanName(name));
    }

    /** Returns the class of a bean; or of the factory that makes it, if the factory itself is started and stopped, as Quartz's scheduler is. */
    private @Nullable Class<?> typeOf(String name) {
        return isLifecycleFactory(name)
                ? factory.getType(BeanFactory.FACTORY_BEAN_PREFIX + name)
                : AutoProxyUtils.determineTargetClass(factory, name);
    }

    private boolean isLifecycleFactory(String name) {
        return factory.containsBeanDefinition(name)
                && factory.isFactoryBean(name)
                && factory.isTypeMatch(BeanFactory.FACTORY_BEAN_PREFIX + name, Lifecycle.class);
    }

    /** Returns whether a bean is what a factory made, and its annotation means the factory, which is started and stopped. */
    boolean isProductOfLifecycleFactory(String name, Object bean) {
        return !(bean instanceof FactoryBean<?>) && isLifecycleFactory(name);
    }

    /**
     * Returns the effect of the annotation on one bean.
     *
     * @param type its class, possibly a proxy's
     */
    Optional<OnLeaderBean> of(String name, Class<?> type) {
        Class<?> userType = ClassUtils.getUserClass(type);
        OnLeader ofBean = isFactoryOfLedBean(userType) ? null : annotationOf(name, userType);
        if (ofBean == null
                && (userType.getName().startsWith("org.springframework.")
                        || !AnnotationUtils.isCandidateClass(userType, OnLeader.class))) {
            return Optional.empty();
        }
        String shown = ScopedProxyUtils.isScopedTarget(name) ? ScopedProxyUtils.getOriginalBeanName(name) : name;
        Optional<OnLeaderBean> found = OnLeaderBean.of(shown, userType, ofBean, callbacks(name), values);
        found.ifPresent(bean -> OnLeaderRules.checkScope(bean, scopeOf(name)));
        return found;
    }

    /** Returns the scope of a bean; {@code null} if it is a singleton. */
    private @Nullable String scopeOf(String name) {
        if (!factory.containsBeanDefinition(name)) {
            return null;
        }
        BeanDefinition definition = factory.getMergedBeanDefinition(name);
        return definition.isSingleton() ? null : definition.getScope();
    }

    /** Returns the methods that the bean's definition names as callbacks of its creation or destruction. */
    private Set<String> callbacks(String name) {
        Set<String> names = new HashSet<>();
        if (factory.containsBeanDefinition(name)
                && factory.getMergedBeanDefinition(name) instanceof AbstractBeanDefinition definition) {
            addAll(names, definition.getInitMethodNames());
            addAll(names, definition.getDestroyMethodNames());
        }
        if (names.remove(AbstractBeanDefinition.INFER_METHOD)) {
            names.addAll(List.of("close", "shutdown"));
        }
        return names;
    }

    private static void addAll(Set<String> names, String @Nullable [] further) {
        if (further != null) {
            Collections.addAll(names, further);
        }
    }

    /**
     * Returns whether an annotation at the {@code @Bean} method applies to the product of the factory: it does unless the factory itself is
     * started and stopped.
     */
    private static boolean isFactoryOfLedBean(Class<?> type) {
        return FactoryBean.class.isAssignableFrom(type) && !Lifecycle.class.isAssignableFrom(type);
    }

    private @Nullable OnLeader annotationOf(String name, Class<?> type) {
        return factory.containsBeanDefinition(name)
                ? factory.findAnnotationOnBean(name, OnLeader.class, false)
                : AnnotatedElementUtils.findMergedAnnotation(type, OnLeader.class);
    }
}
