package io.cle.spring.onleader.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

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
import org.springframework.context.Lifecycle;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/** Finds the beans with {@link OnLeader}, without creating any, and reads the annotations of each once. */
final class OnLeaderBeans {

    private final ConfigurableListableBeanFactory factory;
    private final StringValueResolver values;
    /** Keyed by type as well, because the bean of a name may be a factory and its product. */
    private final Map<Key, Optional<OnLeaderBean>> found = new ConcurrentHashMap<>();

    private record Key(String name, Class<?> type) {}

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
        List<OnLeaderBean> all = new ArrayList<>();
        for (String name : factory.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = hasScopedTarget(name) ? null : typeOf(name);
            if (type != null) {
                of(name, type).ifPresent(all::add);
            }
        }
        return all;
    }

    /** Returns the class of a bean. For a factory that is a lifecycle itself, such as Quartz's, returns the factory's class, which is refused. */
    private @Nullable Class<?> typeOf(String name) {
        String itself = BeanFactory.FACTORY_BEAN_PREFIX + name;
        return factory.isFactoryBean(name) && factory.isTypeMatch(itself, Lifecycle.class)
                ? factory.getType(itself)
                : AutoProxyUtils.determineTargetClass(factory, name);
    }

    /** Returns whether a bean is a scoped proxy. Its target has the annotations, and is guarded instead. */
    boolean hasScopedTarget(String name) {
        return factory.containsBeanDefinition(ScopedProxyUtils.getTargetBeanName(name));
    }

    /**
     * Returns the effect of the annotation on one bean.
     *
     * @param type its class, possibly a proxy's
     */
    Optional<OnLeaderBean> of(String name, Class<?> type) {
        Class<?> userType = ClassUtils.getUserClass(type);
        Key key = new Key(name, userType);
        Optional<OnLeaderBean> known = found.get(key);
        if (known == null) {
            known = find(name, userType);
            found.put(key, known);
        }
        return known;
    }

    private Optional<OnLeaderBean> find(String name, Class<?> userType) {
        OnLeader ofBean = isFactoryOfLedBean(userType) ? null : annotationOf(name, userType);
        if (ofBean == null
                && (userType.getName().startsWith("org.springframework.")
                        || !AnnotationUtils.isCandidateClass(userType, OnLeader.class))) {
            return Optional.empty();
        }
        String shown = ScopedProxyUtils.isScopedTarget(name) ? ScopedProxyUtils.getOriginalBeanName(name) : name;
        Optional<OnLeaderBean> bean = OnLeaderBean.of(shown, userType, ofBean, values);
        bean.ifPresent(led -> OnLeaderRules.checkScope(led, scopeOf(name)));
        return bean;
    }

    /** Returns the scope of a bean; {@code null} if it is a singleton. */
    private @Nullable String scopeOf(String name) {
        if (!factory.containsBeanDefinition(name)) {
            return null;
        }
        BeanDefinition definition = factory.getMergedBeanDefinition(name);
        return definition.isSingleton() ? null : definition.getScope();
    }

    /**
     * Returns whether an annotation at the {@code @Bean} method applies to the product of the factory, which it does
     * unless the factory itself is started and stopped.
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
