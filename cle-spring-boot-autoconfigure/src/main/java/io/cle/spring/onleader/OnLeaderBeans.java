package io.cle.spring.onleader;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/** Finds the beans that {@link OnLeader} means, without making any. */
public final class OnLeaderBeans {

    private final ConfigurableListableBeanFactory factory;
    private final StringValueResolver values;

    /** Looks into a bean factory, whose placeholders and expressions annotations may use. */
    public OnLeaderBeans(ConfigurableListableBeanFactory factory) {
        this.factory = factory;
        this.values = new EmbeddedValueResolver(factory);
    }

    ConfigurableListableBeanFactory factory() {
        return factory;
    }

    /** All of them. */
    List<OnLeaderBean> findAll() {
        List<OnLeaderBean> found = new ArrayList<>();
        for (String name : factory.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type =
                    ScopedProxyUtils.isScopedTarget(name) ? null : AutoProxyUtils.determineTargetClass(factory, name);
            if (type != null) {
                of(name, type).ifPresent(found::add);
            }
        }
        return found;
    }

    /**
     * What the annotation means for one bean.
     *
     * @param type its class, possibly a proxy's
     */
    Optional<OnLeaderBean> of(String name, Class<?> type) {
        Class<?> userType = ClassUtils.getUserClass(type);
        OnLeader ofBean = annotationOf(name, userType);
        if (ofBean == null
                && (userType.getName().startsWith("org.springframework.")
                        || !AnnotationUtils.isCandidateClass(userType, OnLeader.class))) {
            return Optional.empty();
        }
        return OnLeaderBean.of(name, userType, ofBean, values);
    }

    private @Nullable OnLeader annotationOf(String name, Class<?> type) {
        return factory.containsBeanDefinition(name)
                ? factory.findAnnotationOnBean(name, OnLeader.class, false)
                : AnnotatedElementUtils.findMergedAnnotation(type, OnLeader.class);
    }
}
