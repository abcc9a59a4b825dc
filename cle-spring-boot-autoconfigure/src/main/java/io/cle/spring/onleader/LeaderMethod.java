package io.cle.spring.onleader;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

import io.cle.lock.Term;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/** A bean's method that runs while this process leads. The bean is asked for when it is needed, proxies and all. */
record LeaderMethod(BeanFactory beans, String bean, Method method) implements LeaderTask {

    @Override
    public String name() {
        return bean + "." + method.getName();
    }

    @Override
    public void run(Term term) throws Exception {
        Object target = beans.getBean(bean);
        Method invocable = AopUtils.selectInvocableMethod(method, target.getClass());
        ReflectionUtils.makeAccessible(invocable);
        try {
            if (invocable.getParameterCount() == 0) {
                invocable.invoke(target);
            } else {
                invocable.invoke(target, term);
            }
        } catch (InvocationTargetException e) {
            Throwable cause = e.getCause();
            if (cause instanceof Error error) {
                throw error;
            }
            throw cause instanceof Exception exception ? exception : e;
        }
    }
}
