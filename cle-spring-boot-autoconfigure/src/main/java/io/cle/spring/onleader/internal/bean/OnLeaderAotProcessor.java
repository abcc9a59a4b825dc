package io.cle.spring.onleader.internal.bean;

import java.lang.reflect.Method;
import java.util.Set;

import io.cle.spring.onleader.OnLeader;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** Keeps {@link OnLeader} methods callable in a native image: they are called by reflection when a term begins. */
public final class OnLeaderAotProcessor implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        Set<Method> work = MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<OnLeader>)
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, OnLeader.class))
                .keySet();
        return work.isEmpty()
                ? null
                : (context, code) -> work.forEach(
                        method -> context.getRuntimeHints().reflection().registerMethod(method, ExecutableMode.INVOKE));
    }
}
