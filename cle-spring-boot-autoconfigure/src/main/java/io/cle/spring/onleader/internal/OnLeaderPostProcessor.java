package io.cle.spring.onleader.internal;

import java.io.Serial;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.cle.spring.onleader.OnLeader;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.ProxyProcessorSupport;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.SmartInstantiationAwareBeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;

/**
 * Adds an {@link OnLeaderInterceptor} to the beans with {@link OnLeader}. Runs after the processor for transactions and
 * just before the one for {@code @Async}, which puts its own interceptor outside of the existing ones. The guard
 * therefore decides on the thread that does the work, and the transaction has ended when the work is treated as ended.
 */
public final class OnLeaderPostProcessor extends ProxyProcessorSupport
        implements SmartInstantiationAwareBeanPostProcessor {

    @Serial
    private static final long serialVersionUID = 1L;

    /** Present in contexts of Spring's test framework in which tests replace beans by objects, as with {@code @MockitoBean}. */
    private static final String TEST_OVERRIDES =
            "org.springframework.test.context.bean.override.internalBeanOverridePostProcessor";

    private final transient Supplier<LeaderWork> work;
    /** The names of the beans that this processor has seen, and has guarded if they have led work. */
    private final transient Set<String> processed = ConcurrentHashMap.newKeySet();

    private final transient OnLeaderBeans beans;

    /**
     * Creates the processor.
     *
     * @param factory has the beans
     * @param work supplies the work on the first guarded call, not while beans are created
     */
    public OnLeaderPostProcessor(ConfigurableListableBeanFactory factory, Supplier<LeaderWork> work) {
        this.beans = new OnLeaderBeans(factory);
        this.work = work;
        setOrder(Ordered.LOWEST_PRECEDENCE - 1);
    }

    /** Returns the proxy class during ahead-of-time processing, because a native image can't generate classes at run time. */
    @Override
    public Class<?> determineBeanType(Class<?> beanClass, String beanName) {
        boolean proxiedByOthers = Proxy.isProxyClass(beanClass) || ClassUtils.getUserClass(beanClass) != beanClass;
        Optional<OnLeaderBean> found = proxiedByOthers ? Optional.empty() : beans.of(beanName, beanClass);
        if (found.isEmpty()) {
            return beanClass;
        }
        ProxyFactory factory = factory(new OnLeaderInterceptor(found.get(), beanClass, work));
        factory.setTargetClass(beanClass);
        return factory.getProxyClass(getProxyClassLoader());
    }

    OnLeaderBeans beans() {
        return beans;
    }

    /**
     * Fails the start if a bean with led work is part of a circular reference: another bean would get it without its guard, and Spring may
     * create it twice.
     */
    @Override
    public Object getEarlyBeanReference(Object bean, String beanName) {
        beans.of(beanName, ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean)))
                .ifPresent(led -> {
                    throw OnLeaderRules.circularReference(led);
                });
        return bean;
    }

    /**
     * Fails the start if a bean with led work was created before this processor could guard it. Beans that are created later are guarded.
     *
     * @param led all beans with led work
     */
    void checkGuarded(List<OnLeaderBean> led) {
        ConfigurableListableBeanFactory factory = beans.factory();
        if (factory.containsBean(TEST_OVERRIDES)) {
            return;
        }
        for (OnLeaderBean bean : led) {
            // The target of a scope's proxy is created later.
            if (factory.containsSingleton(bean.name())
                    && !processed.contains(bean.name())
                    && !beans.hasScopedTarget(bean.name())) {
                throw OnLeaderRules.createdTooEarly(bean, List.of(factory.getDependentBeans(bean.name())));
            }
        }
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof AopInfrastructureBean) {
            return bean;
        }
        processed.add(beanName);
        Class<?> type = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
        Optional<OnLeaderBean> found = beans.of(beanName, type);
        return found.isEmpty() ? bean : guarded(bean, new OnLeaderInterceptor(found.get(), type, work));
    }

    private Object guarded(Object bean, OnLeaderInterceptor interceptor) {
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            advised.addAdvisor(0, advisor(interceptor));
            return bean;
        }
        ProxyFactory factory = factory(interceptor);
        factory.setTarget(bean);
        return factory.getProxy(getProxyClassLoader());
    }

    private static ProxyFactory factory(OnLeaderInterceptor interceptor) {
        ProxyFactory factory = new ProxyFactory();
        factory.setProxyTargetClass(true);
        factory.addAdvisor(advisor(interceptor));
        return factory;
    }

    private static Advisor advisor(OnLeaderInterceptor interceptor) {
        return new DefaultPointcutAdvisor(
                new StaticMethodMatcherPointcut() {
                    @Override
                    public boolean matches(Method method, Class<?> targetClass) {
                        return interceptor.concerns(method);
                    }
                },
                interceptor);
    }
}
